package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

var specIsImmutable = Rule{
	Name:       "spec-is-immutable",
	Reason:     "The spec of a claim never changes, nor does the whole spec of a template, its metadata included.",
	Source:     "Kubernetes 1.26 CS5 T4, 1.30 CS5 T4, 1.31+ DS37 T4",
	asked:      onUpdate | onKept,
	transition: true,
	check: func(w *write, refuse refuser) {
		if !sameSpec(w) {
			refuse(immutable(specPath))
		}
	},
}

// allocationIsImmutable is not asked of v1alpha1: 1.26 had no such rule.
var allocationIsImmutable = Rule{
	Name:       "allocation-is-immutable",
	Reason:     "An allocation may be set and removed, but not changed.",
	Source:     "Kubernetes 1.30 CT20, 1.31+ DT7",
	asked:      onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		if w.old.use.allocated && w.new.use.allocated && !sameAllocation(w) {
			refuse(changedAllocation(w))
		}
	},
}

// changedAllocation says more to a client of Kubernetes 1.27 to 1.29, which cannot know what it
// did: its v1alpha2 has no structuredData, so that it drops that from every status it writes.
func changedAllocation(w *write) *field.Error {
	refusal := immutable(allocationPath)
	if w.old.classicStatus != nil && dropsStructuredData(w.old.classicStatus.allocation,
		w.new.classicStatus.allocation) {
		refusal.Detail += ": only structuredData is missing from the resource handles, which clients of Kubernetes " +
			"1.27 to 1.29 do not know and drop; write with a JSON patch or a merge patch, or with a client of 1.30"
	}
	return refusal
}

// dropsStructuredData reports whether two allocations of v1alpha2 differ in nothing but data that the new one lacks.
func dropsStructuredData(before, after any) bool {
	old, _ := before.(*v1alpha2.AllocationResult)
	sent, _ := after.(*v1alpha2.AllocationResult)
	if old == nil || sent == nil || len(old.ResourceHandles) != len(sent.ResourceHandles) {
		return false
	}
	without := old.DeepCopy()
	for i := range without.ResourceHandles {
		if sent.ResourceHandles[i].StructuredData == nil {
			without.ResourceHandles[i].StructuredData = nil
		}
	}
	return semantic.DeepEqual(without, sent)
}
