package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// ofEachStructuredData is a rule about the structured data of one handle that has some. Vendor parameters in it are any JSON of any
// size, and an empty one is legal (CT11, CT12).
func ofEachStructuredData(name, reason, number string, check func(at *field.Path, data *v1alpha2.StructuredResourceHandle, refuse refuse)) Rule {
	return ofEachHandle(name, reason, number, func(_ *write, at *field.Path, h *v1alpha2.ResourceHandle, refuse refuse) {
		if h.StructuredData != nil {
			check(at.Child("structuredData"), h.StructuredData, refuse)
		}
	})
}

var structuredNodeNameIsSubdomain = ofEachStructuredData("structured-node-name-is-subdomain", "The node of structured data, when set, is a node's name.",
	"CT8", func(at *field.Path, data *v1alpha2.StructuredResourceHandle, refuse refuse) {
		if data.NodeName != "" {
			checkSubdomain(data.NodeName, func() *field.Path { return at.Child("nodeName") }, refuse)
		}
	})

var structuredResultHasModel = ofEachStructuredData("structured-result-has-model", "Each result of structured data follows a model; 1.30 knew one, namedResources.",
	"CT9", func(at *field.Path, data *v1alpha2.StructuredResourceHandle, refuse refuse) {
		for j := range data.Results {
			if data.Results[j].NamedResources == nil {
				refuse(field.Required(at.Child("results").Index(j), "exactly one structured model field must be set"))
			}
		}
	})

var namedResourceIsSubdomain = ofEachStructuredData("named-resource-is-subdomain", "An allocated named resource has a name, a DNS subdomain.",
	"CT10", func(at *field.Path, data *v1alpha2.StructuredResourceHandle, refuse refuse) {
		for j := range data.Results {
			if named := data.Results[j].NamedResources; named != nil {
				checkSubdomain(named.Name, func() *field.Path { return at.Child("results").Index(j).Child("namedResources", "name") }, refuse)
			}
		}
	})
