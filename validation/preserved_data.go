package validation

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/names"
)

// preservedDataRules keep a write through an older version from losing or forging stored data that the version cannot
// represent, and from storing what cannot be converted.
var preservedDataRules = []Rule{
	{
		Name: "incomplete-copy-is-not-written-back",
		Reason: "A write must not come from an incomplete copy: an object in an older version that lacks preserved " +
			"data. The stored object would lose this data.",
		Source:     "claimbridge",
		operations: onAny,
		check:      checkCopyIsComplete,
	},
	{
		Name: "nesting-is-bounded",
		Reason: "The JSON of an object nests at most 1,000 levels deep, so that API servers can read it in every " +
			"version.",
		Source:     "claimbridge",
		operations: onAny,
		check:      checkNesting,
	},
	{
		Name: "numbers-are-readable",
		Reason: "The numbers of an object are in the range of a float64. API servers cannot read other numbers, or a " +
			"list that contains them.",
		Source:     "claimbridge",
		operations: onAny,
		check:      checkNumbers,
	},
	{
		Name: "leftover-is-well-formed", // a public name: denials and reports contain it
		Reason: "Preserved data in an object is in its place, has the format that claimbridge writes, and belongs to " +
			"the spec of the object.",
		Source:     "claimbridge",
		operations: onAny,
		check:      checkPreservedData,
	},
	{
		Name: "dropped-field-is-unchanged",
		Reason: "A custom resource keeps fields that an API server of the release drops. A create can set such a " +
			"field. An update cannot change it if the spec or the allocation that contains it is immutable.",
		Source:       "claimbridge",
		operations:   onUpdate | onStatus,
		isTransition: true,
		check:        checkDroppedFields,
	},
	{
		Name: "stored-spec-is-unchanged",
		Reason: "An update does not change the stored spec, including the data that an older version preserves in an " +
			"annotation.",
		Source:       "claimbridge",
		operations:   onUpdate | onStatus,
		isTransition: true,
		check: func(in *input) field.ErrorList {
			if in.isLossless() || isEqualPart(in.stored.old.spec, in.stored.new.spec) {
				return nil
			}
			return field.ErrorList{in.errChangesHiddenPart("spec")}
		},
	},
	{
		Name: "stored-status-is-unchanged",
		Reason: "A write of the main resource does not change the stored status, including the data that an older " +
			"version preserves in an annotation.",
		Source:       "claimbridge",
		operations:   onUpdate,
		isTransition: true,
		check: func(in *input) field.ErrorList {
			if in.isLossless() || isEqualPart(in.stored.old.status, in.stored.new.status) {
				return nil
			}
			return field.ErrorList{in.errChangesHiddenPart("status")}
		},
	},
	{
		Name: "stored-allocation-is-unchanged",
		Reason: "A stored allocation can be removed, but not changed, even through an older version that represents " +
			"only a part of it. Kubernetes 1.26 allows changes, v1 does not.",
		Source:       "claimbridge",
		operations:   onStatus,
		isTransition: true,
		check:        checkStoredAllocation,
	},
}

// ownDomain is the prefix of claimbridge's annotations and labels.
const ownDomain = names.Domain + "/"

// checkCopyIsComplete returns the error of the conversion, which decides which preserved data a write needs. A write
// that deletes the object needs none, and a status without an allocation needs no data about one.
func checkCopyIsComplete(in *input) field.ErrorList {
	path := in.paths.metadata.Child("labels").Key(conversion.IncompleteLabel)
	switch {
	case in.stored.incompleteNew != nil:
		if e, ok := errors.AsType[*conversion.Error](in.stored.incompleteNew); ok && e.Field != "" {
			path = field.NewPath(e.Field) // the data is present, but cannot be read
		}
		return field.ErrorList{field.Forbidden(path, causeText(in.stored.incompleteNew))}
	case in.stored.incompleteOld != nil && in.operation == Update:
		return field.ErrorList{field.Forbidden(path,
			"must not be removed: "+causeText(in.stored.incompleteOld))}
	}
	return nil
}

// causeText returns the cause of a conversion error without the object, which the client knows.
func causeText(err error) string {
	if e, ok := errors.AsType[*conversion.Error](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// maxNesting is the maximum nesting depth of the spec or the status. An API server reads JSON of up to 10,000 levels,
// and a ConversionReview and the conversion add a few levels. If a claim of 9,998 levels was stored, no client could
// list claims in an older version. Typical claims have some ten levels.
const maxNesting = 1000

// checkNesting checks the stored form of the object, which also contains parameters from annotations.
func checkNesting(in *input) field.ErrorList {
	wasTooDeep := func() bool { return in.nestingOf(in.stored.old.writtenBy(in.operation)) > maxNesting }
	if in.stored.depth <= maxNesting || wasTooDeep() {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(in.operation.part()), field.OmitValueType{},
		fmt.Sprintf("has %d levels of nested objects and lists, at most %d can be converted; write deep "+
			"parameters as a string",
			in.stored.depth, maxNesting))}
}

// checkNumbers checks the stored form of the object, which also contains parameters from annotations. In an annotation,
// a number is part of a string, which an API server parses only after the conversion.
func checkNumbers(in *input) field.ErrorList {
	if !in.stored.hasUnreadableNumbers || !hasReadableNumbers(in.stored.old.writtenBy(in.operation)) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(in.operation.part()), field.OmitValueType{},
		"has a number in its parameters that is outside the range of a 64-bit floating point number; write it as "+
			"a string")}
}

// checkPreservedData reports the errors of conversion in preserved data that this write adds: of the status on
// UpdateStatus, otherwise of the rest. Errors that the old object has must not keep a claim from being labeled,
// deallocated or deleted. Preserved data that fits may be written: backups are restored, and manifests copied.
func checkPreservedData(in *input) (errs field.ErrorList) {
	for _, f := range in.stored.report.Findings {
		isOfStatus := strings.HasPrefix(f.Field, "status.")
		if isOfStatus != (in.operation == UpdateStatus) || slices.Contains(in.stored.oldReport.Findings, f) {
			continue
		}
		errs = add(errs, &field.Error{
			Type: field.ErrorTypeInvalid, Field: f.Field, BadValue: field.OmitValueType{}, Detail: f.Problem,
		})
	}
	return errs
}

func checkStoredAllocation(in *input) field.ErrorList {
	before, after := allocationOf(in.stored.old.status), allocationOf(in.stored.new.status)
	if in.isLossless() || before.Allocation == nil || after.Allocation == nil || isEqualPart(before, after) {
		return nil // upstream's rules have compared native allocations
	}
	if in.hasSameVisibleAllocation() {
		return field.ErrorList{in.errChangesHiddenPart("status")}
	}
	return field.ErrorList{field.Forbidden(allocationPath,
		"would change the stored allocation, which is immutable in "+conversion.Stored()+
			": write it exactly as read, or remove it")}
}

// hasSameVisibleAllocation reports whether both objects have the same allocation in the version of the write.
func (in *input) hasSameVisibleAllocation() bool {
	before, after := in.old.classic, in.new.classic
	if before != nil && after != nil && before.driverName != after.driverName {
		return false
	}
	return in.hasSameAllocation()
}

// allocationOf returns a stored status with nothing but the allocation.
func allocationOf(status any) *v1.ResourceClaimStatus {
	if s, _ := status.(*v1.ResourceClaimStatus); s != nil {
		return &v1.ResourceClaimStatus{Allocation: s.Allocation}
	}
	return &v1.ResourceClaimStatus{}
}

// checkDroppedFields compares the fields that the API server of the release drops, because its own rules do not see
// them.
func checkDroppedFields(in *input) field.ErrorList {
	if in.new.spec == nil {
		return nil
	}
	detail := fmt.Sprintf("changes a field that Kubernetes %s does not have or has disabled by default: write the field "+
		"exactly as read", in.release)
	if in.operation == Update {
		hasDroppedFields := in.new.completeSpec != in.new.spec
		if hasDroppedFields && !semantic.DeepEqual(in.old.completeSpec, in.new.completeSpec) {
			return field.ErrorList{field.Forbidden(in.paths.spec, detail)}
		}
		return nil
	}
	if in.old.status.Allocation == nil || in.new.status.Allocation == nil {
		return nil
	}
	hasDroppedFields := in.new.completeAllocation != in.new.status.Allocation
	if hasDroppedFields && !semantic.DeepEqual(in.old.completeAllocation, in.new.completeAllocation) {
		return field.ErrorList{field.Forbidden(allocationPath, detail)}
	}
	return nil
}

// errChangesHiddenPart returns the error for a write that changes stored data, but not the part that is visible in the
// version of the client. The cause is an annotation of claimbridge that was removed or edited.
func (in *input) errChangesHiddenPart(part string) *field.Error {
	path := field.NewPath(part)
	remedy := "write the object exactly as read"
	annotations := in.paths.metadata.Child("annotations")
	before, after := in.old.preservingAnnotations(), in.new.preservingAnnotations()
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if strings.HasPrefix(key, ownDomain) && before[key] != after[key] {
			path = annotations.Key(key)
			remedy = "keep the annotation " + key + " exactly as read"
			break
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if _, wasThere := before[key]; strings.HasPrefix(key, ownDomain) && !wasThere {
			path = annotations.Key(key)
			remedy = "remove the annotation " + key
			break
		}
	}
	return field.Forbidden(path,
		fmt.Sprintf("changes the stored %s through preserved data, although the %s in the request is unchanged: "+
			"%s, or write the object through %s", part, part, remedy, conversion.Stored()))
}
