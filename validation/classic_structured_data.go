package validation

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// structuredData of the handles that have some, by the index of the handle. Vendor parameters in it are any JSON of any
// size, and an empty one is legal (CT11, CT12).
func (w *write) structuredData() iter.Seq2[int, *v1alpha2.StructuredResourceHandle] {
	return func(yield func(int, *v1alpha2.StructuredResourceHandle) bool) {
		for i := range w.new.classicStatus.handles {
			if data := w.new.classicStatus.handles[i].StructuredData; data != nil && !yield(i, data) {
				return
			}
		}
	}
}

var structuredNodeNameIsSubdomain = Rule{
	Name:   "structured-node-name-is-subdomain",
	Reason: "The node of structured data, when set, is a node's name.",
	Source: "Kubernetes 1.30 CT8",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i, data := range w.structuredData() {
			if data.NodeName != "" {
				checkSubdomain(data.NodeName, func() *field.Path {
					return handlesPath.Index(i).Child("structuredData", "nodeName")
				}, refuse)
			}
		}
	},
}

var structuredResultHasModel = Rule{
	Name:   "structured-result-has-model",
	Reason: "Each result of structured data follows a model; 1.30 knew one, namedResources.",
	Source: "Kubernetes 1.30 CT9",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i, data := range w.structuredData() {
			for j := range data.Results {
				if data.Results[j].NamedResources == nil {
					refuse(field.Required(handlesPath.Index(i).Child("structuredData", "results").Index(j),
						"exactly one structured model field must be set"))
				}
			}
		}
	},
}

var namedResourceIsSubdomain = Rule{
	Name:   "named-resource-is-subdomain",
	Reason: "An allocated named resource has a name, a DNS subdomain.",
	Source: "Kubernetes 1.30 CT10",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i, data := range w.structuredData() {
			for j := range data.Results {
				if named := data.Results[j].NamedResources; named != nil {
					checkSubdomain(named.Name, func() *field.Path {
						return handlesPath.Index(i).Child("structuredData", "results").Index(j).Child("namedResources", "name")
					}, refuse)
				}
			}
		}
	},
}
