package validation

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// convertToStored converts a write to the stored version. An incomplete copy is not an error: the result has the
// reason. Other objects that cannot be converted are an error, but decoding has already rejected them.
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
		// No metadata or spec converts to a status. If that ever changed, a client could forge a status with a create.
		return nil, errors.New("internal error: converting a new claim produced a status")
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

// convertNew converts the object that the write stores: the metadata and the spec of an object, and a status.
func (s *storedWrite) convertNew(in *input, o *conversion.ParsedObject, status any) (err error) {
	s.new, s.report, s.incompleteNew, err = convertParts(o, status)
	if err != nil {
		return err
	}
	written := s.new.writtenBy(in.operation)
	s.depth = in.nestingOf(written)
	s.hasUnreadableNumbers = !hasReadableNumbers(written)
	return nil
}

// convertOld converts the old object. UpdateStatus doesn't change the spec, so the old spec equals the new one, which
// is already converted. The old status is converted only if rules need it:
//
//   - to find out whether the old object has the same problems,
//   - to compare an allocation that the write changes,
//   - to compare a status that is restored from preserved data.
//
// If the new copy is incomplete, only the spec of the old object is converted, to find out whether it lacks the same
// part.
func (s *storedWrite) convertOld(in *input) (err error) {
	_, status := in.old.parsed.SpecAndStatus()
	if in.operation == UpdateStatus && !s.hasProblems() && !s.report.RestoredStatus && !in.writesAllocation() {
		if s.incompleteNew == nil {
			s.old.spec = s.new.spec
			return nil
		}
		status = nil
	}
	s.old, s.oldReport, s.incompleteOld, err = convertParts(in.old.parsed, status)
	if err != nil {
		return err
	}
	if s.incompleteOld != nil && in.operation == UpdateStatus {
		// Convert the spec alone: this write may remove a status that can't be restored.
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
	if !in.hasSameVisibleAllocation() {
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

// hasProblems reports whether the new object as stored has problems that the old object may have too.
func (s *storedWrite) hasProblems() bool {
	return len(s.report.Findings)+len(s.report.Ignored)+len(s.report.Stale) > 0 || s.depth > maxNesting ||
		s.hasUnreadableNumbers
}

// convertParts converts an object with a status to the stored version.
func convertParts(
	o *conversion.ParsedObject, status any,
) (_ storedParts, report conversion.Report, incomplete, err error) {
	spec, convertedStatus, report, err := o.Convert(status, conversion.Stored(), conversion.Options{Inspect: true})
	switch {
	case errors.Is(err, conversion.ErrIncomplete):
		return storedParts{}, report, err, nil
	case err != nil:
		return storedParts{}, report, nil, fmt.Errorf("stored object: %w", err)
	}
	return storedParts{spec, convertedStatus}, report, nil, nil
}
