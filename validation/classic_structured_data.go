package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// structuredData of handles that have some. Vendor parameters in it are any JSON of any size, and
// an empty one is legal (CT11, CT12).
var structuredData = items[*v1alpha2.StructuredResourceHandle]{
	asked: onStatus,
	each: func(w *write, check check[*v1alpha2.StructuredResourceHandle], refuse refuser) {
		for i, h := range w.new.classicStatus.handles {
			if h.StructuredData != nil {
				check(w, h.StructuredData, placeOf(handlesPath.Index(i)).child("structuredData"), refuse)
			}
		}
	},
}

var structuredNodeNameIsSubdomain = structuredData.rule("structured-node-name-is-subdomain",
	"The node of structured data, when set, is a node's name.",
	"Kubernetes 1.30 CT8", func(_ *write, data *v1alpha2.StructuredResourceHandle, at place, refuse refuser) {
		if data.NodeName != "" {
			checkSubdomain(data.NodeName, at.child("nodeName"), refuse)
		}
	})

var structuredResultHasModel = structuredData.rule("structured-result-has-model",
	"Each result of structured data follows a model; 1.30 knew one, namedResources.",
	"Kubernetes 1.30 CT9", func(_ *write, data *v1alpha2.StructuredResourceHandle, at place, refuse refuser) {
		for j := range data.Results {
			if data.Results[j].NamedResources == nil {
				refuse(field.Required(at.path().Child("results").Index(j),
					"exactly one structured model field must be set"))
			}
		}
	})

var namedResourceIsSubdomain = structuredData.rule("named-resource-is-subdomain",
	"An allocated named resource has a name, a DNS subdomain.",
	"Kubernetes 1.30 CT10", func(_ *write, data *v1alpha2.StructuredResourceHandle, at place, refuse refuser) {
		for j := range data.Results {
			if named := data.Results[j].NamedResources; named != nil {
				checkSubdomain(named.Name, at.child("results").index(j).child("namedResources").child("name"), refuse)
			}
		}
	})
