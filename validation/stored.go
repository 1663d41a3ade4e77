package validation

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// asStored converts a write. The error is for objects that cannot be converted for other reasons than being
// incomplete; after decoding as sent there should be none.
//
// What an API server takes of the new object is on Create all but its status, on Update its
// metadata and spec with the old status, and on UpdateStatus its status with the old metadata and
// spec.
func asStored(w *write) (_ *stored, err error) {
	s := &stored{}
	if w.op == Update && w.new.opened.DeletedByWrite() {
		s.numbersFit = true
		return s, nil // the API server stores nothing
	}
	taken, status := w.new.opened, any(nil)
	switch w.op {
	case Update:
		_, status = w.old.opened.Parts()
	case UpdateStatus:
		taken = w.old.opened
		_, status = w.new.opened.Parts()
	}
	unchanged := w.op == Update && w.new.opened.ConvertsAs(w.old.opened)
	if s.new, s.report, s.incompleteNew, err = up(taken, status); err != nil {
		return nil, err
	}
	text := textOf(s.new.brought(w.op))
	s.depth, s.numbersFit = w.depthOf(text), kjson.NumbersFit(text)
	if unchanged {
		s.old, s.oldReport, s.incompleteOld = s.new, s.report, s.incompleteNew
		return s, nil
	}
	if w.op == Create {
		if !same(nil, s.new.status) {
			// Nothing of what is taken on Create can become status. Would conversion ever do that,
			// no claim may be made.
			return nil, errors.New("as stored: the new claim would have a status")
		}
		return s, nil
	}
	// The stored spec does not depend on status, and on a status write it is that of the old
	// object. So the old one is converted only where there is something to compare that may have
	// been there before, or what the copy lacks. A restored status is compared with the stored one.
	_, status = w.old.opened.Parts()
	if w.op == UpdateStatus && s.clean() && !s.report.RestoredStatus && !w.writesAllocation() {
		if s.incompleteNew == nil {
			s.old.spec = s.new.spec
			return s, nil
		}
		status = nil
	}
	if s.old, s.oldReport, s.incompleteOld, err = up(w.old.opened, status); err != nil {
		return nil, err
	}
	if s.incompleteOld != nil && w.op == UpdateStatus {
		// The status that is incomplete may be what this write removes.
		if s.old, _, _, err = up(w.old.opened, nil); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// writesAllocation reports whether a write of an allocated claim's status changes what its version
// says of the allocation, or what it cannot say.
func (w *write) writesAllocation() bool {
	if w.native || !w.old.use.allocated || !w.new.use.allocated {
		return false
	}
	if !w.showsSameAllocation() {
		return true
	}
	_, before := w.old.opened.Parts()
	_, after := w.new.opened.Parts()
	return leftoverIn(before) != leftoverIn(after)
}

// leftoverIn a status of a version that has such a field.
func leftoverIn(status any) string {
	v := reflect.Indirect(reflect.ValueOf(status))
	if !v.IsValid() || !v.FieldByName("ClaimbridgeLeftover").IsValid() {
		return ""
	}
	return v.FieldByName("ClaimbridgeLeftover").String()
}

// clean reports whether nothing is wrong with the new object as stored that could have been there before.
func (s *stored) clean() bool {
	return len(s.report.Findings)+len(s.report.Ignored)+len(s.report.Stale) == 0 && s.depth <= maxNesting &&
		s.numbersFit
}

// up converts an object with a status to the version that is stored.
func up(o *conversion.Opened, status any) (_ storedParts, report conversion.Report, incomplete, err error) {
	spec, status, report, err := o.Convert(status, conversion.Stored(), conversion.Options{Inspect: true})
	switch {
	case errors.Is(err, conversion.ErrIncomplete):
		return storedParts{}, report, err, nil
	case err != nil:
		return storedParts{}, report, nil, fmt.Errorf("as stored: %w", err)
	}
	return storedParts{spec, status}, report, nil, nil
}
