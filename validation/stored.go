package validation

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// convertToStored converts a write to the stored version. It returns an error for objects that cannot be converted for
// another reason than being incomplete. There should be none after decoding.
func convertToStored(in *input) (*storedWrite, error) {
	switch in.operation {
	case Create:
		return convertCreate(in)
	case Update:
		return convertUpdate(in)
	}
	return convertStatusUpdate(in)
}

// convertCreate converts a new object without its status, which the API server drops.
func convertCreate(in *input) (*storedWrite, error) {
	s := &storedWrite{}
	if err := s.convertNew(in, in.new.parsed, nil); err != nil {
		return nil, err
	}
	if !isEqualPart(nil, s.new.status) {
		// Nothing that a create stores can become status. If conversion ever did that, no claim may be created.
		return nil, errors.New("as stored: the new claim would have a status")
	}
	return s, nil
}

// convertUpdate converts the new metadata and spec with the old status, which the API server stores. A write that
// deletes the object stores nothing.
func convertUpdate(in *input) (*storedWrite, error) {
	s := &storedWrite{}
	if in.new.parsed.IsDeletedDuringUpdate() {
		return s, nil
	}
	isUnchanged := in.new.parsed.ConvertsLike(in.old.parsed)
	_, oldStatus := in.old.parsed.SpecAndStatus()
	if err := s.convertNew(in, in.new.parsed, oldStatus); err != nil {
		return nil, err
	}
	if isUnchanged {
		s.old, s.oldReport, s.incompleteOld = s.new, s.report, s.incompleteNew
		return s, nil
	}
	return s, s.convertOld(in)
}

// convertStatusUpdate converts the new status with the old metadata and spec, which the API server stores.
func convertStatusUpdate(in *input) (*storedWrite, error) {
	s := &storedWrite{}
	_, newStatus := in.new.parsed.SpecAndStatus()
	if err := s.convertNew(in, in.old.parsed, newStatus); err != nil {
		return nil, err
	}
	return s, s.convertOld(in)
}

// convertNew converts what the write stores: an object with a status.
func (s *storedWrite) convertNew(in *input, o *conversion.ParsedObject, status any) (err error) {
	if s.new, s.report, s.incompleteNew, err = convertParts(o, status); err != nil {
		return err
	}
	written := s.new.writtenBy(in.operation)
	s.depth = in.nestingOf(written)
	s.hasUnreadableNumbers = !hasReadableNumbers(written)
	return nil
}

// convertOld converts the old object where that is needed. The stored spec does not depend on the status, and on
// UpdateStatus it is that of the old object. So there the old object is needed only to compare errors that it may also
// have, an allocation that is written, or what an incomplete copy lacks. A restored status is compared with the stored
// one.
func (s *storedWrite) convertOld(in *input) (err error) {
	_, status := in.old.parsed.SpecAndStatus()
	if in.operation == UpdateStatus && s.hasNoErrors() && !s.report.RestoredStatus && !in.writesAllocation() {
		if s.incompleteNew == nil {
			s.old.spec = s.new.spec
			return nil
		}
		status = nil
	}
	if s.old, s.oldReport, s.incompleteOld, err = convertParts(in.old.parsed, status); err != nil {
		return err
	}
	if s.incompleteOld != nil && in.operation == UpdateStatus {
		// The incomplete status may be what this write removes.
		s.old, _, _, err = convertParts(in.old.parsed, nil)
	}
	return err
}

// writesAllocation reports whether a status write of an allocated claim changes the allocation in its version, or
// the data that the version preserves.
func (in *input) writesAllocation() bool {
	if in.isLossless() || !in.old.isAllocated || !in.new.isAllocated {
		return false
	}
	if !in.showsSameAllocation() {
		return true
	}
	_, before := in.old.parsed.SpecAndStatus()
	_, after := in.new.parsed.SpecAndStatus()
	return preservedIn(before) != preservedIn(after)
}

// preservedIn returns the data that a status preserves, in a version that has the field.
func preservedIn(status any) string {
	v := reflect.Indirect(reflect.ValueOf(status))
	if !v.IsValid() || !v.FieldByName("ClaimbridgeLeftover").IsValid() {
		return ""
	}
	return v.FieldByName("ClaimbridgeLeftover").String()
}

// hasNoErrors reports whether the new object as stored has no error that the old one may also have.
func (s *storedWrite) hasNoErrors() bool {
	return len(s.report.Findings)+len(s.report.Ignored)+len(s.report.Stale) == 0 && s.depth <= maxNesting &&
		!s.hasUnreadableNumbers
}

// convertParts converts an object with a status to the stored version.
func convertParts(
	o *conversion.ParsedObject, status any,
) (_ storedParts, report conversion.Report, incomplete, err error) {
	spec, status, report, err := o.Convert(status, conversion.Stored(), conversion.Options{Inspect: true})
	switch {
	case errors.Is(err, conversion.ErrIncomplete):
		return storedParts{}, report, err, nil
	case err != nil:
		return storedParts{}, report, nil, fmt.Errorf("stored object: %w", err)
	}
	return storedParts{spec, status}, report, nil, nil
}
