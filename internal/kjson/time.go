package kjson

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	errNoTime = &DecodeError{Why: "must be a time as RFC 3339 has it, such as 2026-01-31T12:00:00Z"}
	// An API server would write such a time in UTC, which nobody can read.
	errFarTime = &DecodeError{Why: "is a time whose year in UTC is before 0 or after 9999, which RFC 3339 has no text for"}
)

// time reads a time as RFC 3339 has it. It is a local one, as with any decoder.
func (r *reader) time(into *metav1.Time) error {
	value := r.Value()
	if value == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339, StringOf(value))
	if err != nil {
		return errNoTime
	}
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return errFarTime
	}
	into.Time = t.Local()
	return nil
}

// time writes a time in UTC; none is null. Fractions of a second, which Kubernetes cuts off, stay. The first second of the year 1 is a
// time like any other when somebody wrote it: it was read as a local time, which none is not.
func (w *writer) time(t metav1.Time) {
	if t.IsZero() && t.Location() == time.UTC {
		w.raw(nil)
		return
	}
	w.out = append(w.out, '"')
	w.out = t.UTC().AppendFormat(w.out, time.RFC3339Nano)
	w.out = append(w.out, '"')
}
