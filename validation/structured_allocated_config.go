package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

var allocatedConfigPath = allocationPath.Child("devices", "config")

var allocatedConfigAtMost64 = Rule{
	Name:   "allocated-config-at-most-64",
	Reason: "An allocation has at most 64 entries of configuration: 32 of the class and 32 of the claim.",
	Source: "Kubernetes 1.31 DT19",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		if n := len(w.allocated().Config); n > v1alpha3.AllocationConfigMaxSize {
			refuse(tooManyItems(allocatedConfigPath, n, v1alpha3.AllocationConfigMaxSize))
		}
	},
}

var allocatedConfigSourceIsKnown = Rule{
	Name:   "allocated-config-source-is-known",
	Reason: "An entry of configuration in an allocation comes FromClass or FromClaim.",
	Source: "Kubernetes 1.31 DT20",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i, c := range w.allocated().Config {
			at := allocatedConfigPath.Index(i).Child("source")
			switch c.Source {
			case v1alpha3.AllocationConfigSourceClaim, v1alpha3.AllocationConfigSourceClass:
			case "":
				refuse(field.Required(at, ""))
			default:
				refuse(field.NotSupported(at, shown(string(c.Source)), []v1alpha3.AllocationConfigSource{
					v1alpha3.AllocationConfigSourceClaim, v1alpha3.AllocationConfigSourceClass,
				}))
			}
		}
	},
}
