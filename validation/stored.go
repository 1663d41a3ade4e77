package validation

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/claimbridge/claimbridge/conversion"
)

// stored is a write as it would reach storage: in the newest version, old and new.
type stored struct {
	// sent is what the API server takes of the new object as sent: on Create without its status, on Update with the
	// old status, on UpdateStatus with the old metadata and spec.
	sent []byte
	// old and new by their members; nil when they cannot be converted because they are incomplete copies. Old is nil
	// on Create as well.
	old, new members
	// incompleteOld and incompleteNew say why.
	incompleteOld, incompleteNew error
	// reports of converting the old object and the new one.
	oldReport, report conversion.Report
}

// members of a JSON object.
type members map[string]json.RawMessage

// asStored converts a write. The error is for objects that cannot be converted for other reasons than being
// incomplete; after decoding as sent there should be none.
func asStored(w *write) (*stored, error) {
	s := &stored{}
	var err error
	if s.sent, err = taken(w); err != nil {
		return nil, err
	}
	if s.new, s.report, s.incompleteNew, err = up(s.sent); err != nil {
		return nil, err
	}
	if w.op == Create {
		if !same("status", nil, s.new) {
			// Nothing of what is taken on Create can become status. Would conversion ever do that, no claim may be made.
			return nil, errors.New("as stored: the new claim would have a status")
		}
		return s, nil
	}
	if s.old, s.oldReport, s.incompleteOld, err = up(w.sentOld); err != nil {
		return nil, err
	}
	if s.incompleteOld != nil && w.op == UpdateStatus {
		// The status that is incomplete may be what this write removes. The stored spec does not depend on status, so
		// the old object without its status tells what the spec was.
		bare, err := with(w.sentOld, "status", nil)
		if err != nil {
			return nil, err
		}
		if s.old, _, _, err = up(bare); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// taken is the object that the API server makes of the objects sent.
func taken(w *write) ([]byte, error) {
	if w.kind == templateKind {
		return w.sentNew, nil
	}
	switch w.op {
	case Create:
		return with(w.sentNew, "status", nil)
	case Update:
		status, err := memberOf(w.sentOld, "status")
		if err != nil {
			return nil, err
		}
		return with(w.sentNew, "status", status)
	default:
		status, err := memberOf(w.sentNew, "status")
		if err != nil {
			return nil, err
		}
		return with(w.sentOld, "status", status)
	}
}

// up converts an object to the version that is stored.
func up(object []byte) (m members, report conversion.Report, incomplete, err error) {
	out, report, err := conversion.JSON(object, conversion.Newest(), conversion.Options{})
	if errors.Is(err, conversion.ErrIncomplete) {
		return nil, report, err, nil
	}
	if err != nil {
		return nil, report, nil, fmt.Errorf("as stored: %w", err)
	}
	if _, err := conversion.Decode(out, &m); err != nil {
		return nil, report, nil, fmt.Errorf("as stored: %w", err)
	}
	return m, report, nil, nil
}

func memberOf(object []byte, name string) (json.RawMessage, error) {
	var m members
	if _, err := conversion.Decode(object, &m); err != nil {
		return nil, err
	}
	return m[name], nil
}

// with is an object with one member replaced, or without it when the value is nil. All other members keep their bytes.
func with(object []byte, name string, value json.RawMessage) ([]byte, error) {
	var m members
	if _, err := conversion.Decode(object, &m); err != nil {
		return nil, err
	}
	switch {
	case value == nil:
		delete(m, name)
	case m == nil:
		m = members{name: value}
	default:
		m[name] = value
	}
	return m.object(), nil
}

// object is the members as one JSON object.
func (m members) object() []byte {
	out := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			out = append(out, ',')
		}
		quoted, _ := json.Marshal(name) // a string always can be
		out = append(append(append(out, quoted...), ':'), m[name]...)
	}
	return append(out, '}')
}

// same tells whether a member is the same on both sides to the API server. An absent one is like an empty one.
func same(name string, a, b members) bool {
	return conversion.Equal(orEmpty(a[name]), orEmpty(b[name]))
}

func orEmpty(value json.RawMessage) []byte {
	if value == nil || string(value) == "null" {
		return []byte("{}")
	}
	return value
}
