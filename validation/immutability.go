package validation

import "k8s.io/apimachinery/pkg/api/equality"

var specIsImmutable = Rule{
	Name:       "spec-is-immutable",
	Reason:     "The spec of a claim never changes, nor does the whole spec of a template, its metadata included.",
	Source:     "Kubernetes 1.26 CS5 T4, 1.30 CS5 T4, 1.31 DS37 T4",
	asked:      onUpdate,
	transition: true,
	check: func(w *write, refuse refuse) {
		if !equality.Semantic.DeepEqual(w.old.wholeSpec, w.new.wholeSpec) {
			refuse(immutable(specPath))
		}
	},
}

// allocationIsImmutable is not asked of v1alpha1: 1.26 had no such rule.
var allocationIsImmutable = Rule{
	Name:       "allocation-is-immutable",
	Reason:     "An allocation may be set and removed, but not changed.",
	Source:     "Kubernetes 1.30 CT20, 1.31 DT7",
	asked:      onStatus,
	transition: true,
	check: func(w *write, refuse refuse) {
		if w.old.use.allocated && w.new.use.allocated &&
			!equality.Semantic.DeepEqual(w.old.wholeAllocation, w.new.wholeAllocation) {
			refuse(immutable(allocationPath))
		}
	},
}
