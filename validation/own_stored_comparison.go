package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/names"
)

// ourDomain is the prefix of annotations and labels of ours.
const ourDomain = names.Domain + "/"

var storedSpecIsUnchanged = Rule{
	Name: "stored-spec-is-unchanged",
	Reason: "What the stored spec says, it goes on saying, also where the version of the write can say it only " +
		"by annotation.",
	Source:     "claimbridge",
	asked:      onUpdate | onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		if !w.native && !same(w.stored.old.spec, w.stored.new.spec) {
			refuse(w.changedUnseen("spec"))
		}
	},
}

var storedStatusIsUnchanged = Rule{
	Name:       "stored-status-is-unchanged",
	Reason:     "A write of the main resource does not change the stored status, also not by annotation.",
	Source:     "claimbridge",
	asked:      onUpdate,
	transition: true,
	check: func(w *write, refuse refuser) {
		if !w.native && !same(w.stored.old.status, w.stored.new.status) {
			refuse(w.changedUnseen("status"))
		}
	},
}

var storedAllocationIsUnchanged = Rule{
	Name: "stored-allocation-is-unchanged",
	Reason: "What is stored of an allocation does not change while there is one, as v1 has it, also where the " +
		"version of the write shows little of it or lets it change.",
	Source:     "claimbridge",
	asked:      onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		before, after := allocationOf(w.stored.old.status), allocationOf(w.stored.new.status)
		if w.native || before.Allocation == nil || after.Allocation == nil || same(before, after) {
			return // upstream's rules have compared what is native
		}
		if w.showsSameAllocation() {
			refuse(w.changedUnseen("status"))
			return
		}
		refuse(field.Forbidden(allocationPath,
			"the stored allocation would change by what this version shows of it, and in "+
				conversion.Stored()+" an allocation is immutable: remove it, or write the object as it was read"))
	},
}

// showsSameAllocation reports whether the object shows the allocation that was there before.
func (w *write) showsSameAllocation() bool {
	before, after := w.old.classicStatus, w.new.classicStatus
	if before != nil && after != nil && before.driverName != after.driverName {
		return false
	}
	return sameAllocation(w)
}

// allocationOf a stored status, and nothing else of it.
func allocationOf(status any) *v1.ResourceClaimStatus {
	if s, _ := status.(*v1.ResourceClaimStatus); s != nil {
		return &v1.ResourceClaimStatus{Allocation: s.Allocation}
	}
	return &v1.ResourceClaimStatus{}
}

// droppedIsUnchanged looks at what the API server of the release would drop, so that its rules see no difference.
var droppedIsUnchanged = Rule{
	Name: "dropped-field-is-unchanged",
	Reason: "A field that an API server of the release drops stays in a custom resource: it may be created " +
		"there, but not be changed with what must not change.",
	Source:     "claimbridge",
	asked:      onUpdate | onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		const detail = "would change by a field that Kubernetes %s does not have, or not by default: write it as it " +
			"was read"
		if w.new.structured == nil {
			return
		}
		if w.op == Update && w.new.keptSpec != w.new.structured && !semantic.DeepEqual(w.old.keptSpec, w.new.keptSpec) {
			refuse(field.Forbidden(w.specPath, fmt.Sprintf(detail, w.release)))
		}
		if w.op == UpdateStatus && w.old.allocation != nil && w.new.keptAllocation != w.new.allocation &&
			w.new.allocation != nil &&
			!semantic.DeepEqual(w.old.keptAllocation, w.new.keptAllocation) {
			refuse(field.Forbidden(allocationPath, fmt.Sprintf(detail, w.release)))
		}
	},
}

// changedUnseen is the refusal of a write that changes in storage what it does not change where the client can see it.
// An annotation of ours that was stripped or edited is to blame.
func (w *write) changedUnseen(part string) *field.Error {
	at, remedy := field.NewPath(part), "write the object as it was read"
	before, after := w.old.carrier(), w.new.carrier()
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if strings.HasPrefix(key, ourDomain) && before[key] != after[key] {
			at, remedy = w.metadataPath.Child("annotations").Key(key), "keep the annotation "+key+" as it was read"
			break
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[key]; strings.HasPrefix(key, ourDomain) && !had {
			at, remedy = w.metadataPath.Child("annotations").Key(key), "remove the annotation "+key
			break
		}
	}
	return field.Forbidden(at,
		fmt.Sprintf("the stored %s would change although the %s sent does not: %s, or write through %s",
			part, part, remedy, conversion.Stored()))
}

// carrierPath is the first annotation of ours on the new object, or a part of the object.
func (w *write) carrierPath(part string) *field.Path {
	for _, key := range slices.Sorted(maps.Keys(w.new.carrier())) {
		if strings.HasPrefix(key, ourDomain) {
			return w.metadataPath.Child("annotations").Key(key)
		}
	}
	return field.NewPath(part)
}
