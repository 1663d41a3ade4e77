package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/names"
)

var allocatedConfigPath = allocationPath.Child("devices", "config")

// countsAgainst64 are the entries of an allocation's configuration but for our own: what an older
// version could say has to fit.
func (w *write) countsAgainst64() (n int) {
	config := w.allocated().Config
	if len(config) <= v1.AllocationConfigMaxSize {
		return len(config)
	}
	for i := range config {
		if o := config[i].Opaque; o == nil || o.Driver != names.Domain || w.release < release1_32 {
			n++
		}
	}
	return n
}

// allocatedConfig to judge.
func (w *write) allocatedConfig() []v1.DeviceAllocationConfiguration {
	if w.release >= release1_35 && w.countsAgainst64() > v1.AllocationConfigMaxSize {
		return nil
	}
	return w.allocated().Config
}

var allocatedConfigAtMost64 = atMost(v1.AllocationConfigMaxSize, "allocated-config-at-most-64",
	"An allocation has at most 64 entries of configuration, 32 of the class and 32 of the claim; claimbridge's own "+
		"do not count from v1beta1 on.",
	"Kubernetes 1.31+ DT19", onStatus, func(w *write) (int, place) {
		return w.countsAgainst64(), placeOf(allocatedConfigPath)
	})

var allocatedConfigSourceIsKnown = Rule{
	Name:   "allocated-config-source-is-known",
	Reason: "An entry of configuration in an allocation comes FromClass or FromClaim.",
	Source: "Kubernetes 1.31+ DT20",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		for i, c := range w.allocatedConfig() {
			at := placeOf(allocatedConfigPath).index(i).child("source")
			if c.Source == "" {
				refuse(field.Required(at.path(), ""))
				continue
			}
			sources := []v1.AllocationConfigSource{v1.AllocationConfigSourceClaim, v1.AllocationConfigSourceClass}
			refuseUnknown(c.Source, sources, at, refuse)
		}
	},
}
