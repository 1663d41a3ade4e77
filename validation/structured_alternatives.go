package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// alternatives of a request to judge: from 1.35 on none beside exactly, but by the declarative checks of 1.37.
func (w *write) alternatives(i int) []v1.DeviceSubRequest {
	r := &w.requests()[i]
	if r.Exactly == nil || w.release < release1_35 {
		return r.FirstAvailable
	}
	if old, changed := w.before(r); changed && (old == nil || !semantic.DeepEqual(old.FirstAvailable, r.FirstAvailable)) {
		return r.FirstAvailable
	}
	return nil
}

var alternativesAtMost8 = Rule{
	Name:          "alternatives-at-most-8",
	Reason:        "A request has at most 8 alternatives.",
	Source:        "Kubernetes 1.33+ DS15",
	asked:         onSpec,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		for i := range w.requests() {
			if n := len(w.alternatives(i)); n > v1.FirstAvailableDeviceRequestMaxSize {
				refuse(field.TooMany(w.requestField(i, "firstAvailable")(), n, v1.FirstAvailableDeviceRequestMaxSize))
			}
		}
	},
}

var alternativeNamesAreUnique = Rule{
	Name:          "alternative-names-are-unique",
	Reason:        "Alternatives are referred to by their names: no two of a request have the same.",
	Source:        "Kubernetes 1.33+ DS16",
	asked:         onSpec,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		for i := range w.requests() {
			alternatives := judged(w, w.alternatives(i), v1.FirstAvailableDeviceRequestMaxSize)
			for j := range repeatedBy(alternatives, func(a *v1.DeviceSubRequest) string { return a.Name }) {
				refuse(field.Duplicate(w.repeatedAt(w.requestField(i, "firstAvailable")().Index(j), "name"), shown(alternatives[j].Name)))
			}
		}
	},
}
