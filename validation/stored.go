package validation

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// convertToStored converts a write to the stored version. It returns an error for objects that cannot be converted for
// another reason than being incomplete. There should be none after decoding.
//
// The API server stores of the new object all but its status on Create, its metadata and spec with the old status on
// Update, and its status with the old metadata and spec on UpdateStatus.
func convertToStored(in *input) (_ *storedWrite, err error) {
	s := &storedWrite{}
	if in.operation == Update && in.new.parsed.IsDeletedByWrite() {
		s.numbersFit = true
		return s, nil // the API server stores nothing
	}
	written, status := in.new.parsed, any(nil)
	switch in.operation {
	case Update:
		_, status = in.old.parsed.SpecAndStatus()
	case UpdateStatus:
		written = in.old.parsed
		_, status = in.new.parsed.SpecAndStatus()
	}
	isUnchanged := in.operation == Update && in.new.parsed.ConvertsAs(in.old.parsed)
	if s.new, s.report, s.incompleteNew, err = convertParts(written, status); err != nil {
		return nil, err
	}
	text := encodePart(s.new.writtenBy(in.operation))
	s.depth, s.numbersFit = in.nestingOf(text), objectjson.NumbersFit(text)
	if isUnchanged {
		s.old, s.oldReport, s.incompleteOld = s.new, s.report, s.incompleteNew
		return s, nil
	}
	if in.operation == Create {
		if !isEqualPart(nil, s.new.status) {
			// Nothing that a create stores can become status. If conversion ever did that, no claim may be created.
			return nil, errors.New("as stored: the new claim would have a status")
		}
		return s, nil
	}
	return s, s.convertOld(in)
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

// writesAllocation reports whether a status write of an allocated claim changes what its version shows of the
// allocation, or the data that the version preserves.
func (in *input) writesAllocation() bool {
	if in.isNative() || !in.old.isAllocated || !in.new.isAllocated {
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
		s.numbersFit
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
