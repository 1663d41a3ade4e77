package kjson

import (
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	errNoTime = &DecodeError{Why: "must be a time as RFC 3339 has it, such as 2026-01-31T12:00:00Z"}
	// An API server would write such a time in UTC, which nobody can read.
	errFarTime = &DecodeError{Why: "is a time whose year in UTC is before 0 or after 9999, which RFC 3339 has no text for"}
)

func parseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, errNoTime
	}
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return t, errFarTime
	}
	return t, nil
}

// Time reads a time as RFC 3339 has it; null is none.
func (r *Reader) Time() metav1.Time {
	if r.scan.Null() {
		return metav1.Time{}
	}
	t, err := parseTime(r.Text())
	if err != nil {
		r.Fail()
	}
	return metav1.Time{Time: t.Local()} // as it is decoded
}

// Time writes a time in UTC; none is null. Fractions of a second, which Kubernetes cuts off, stay. The first second of the year 1
// is a time like any other when somebody wrote it: it was read as a local time, which none is not.
func (w *Writer) Time(t metav1.Time) {
	if t.IsZero() && t.Location() == time.UTC {
		w.Raw(nil)
		return
	}
	w.Out = append(w.Out, '"')
	w.Out = t.UTC().AppendFormat(w.Out, time.RFC3339Nano)
	w.Out = append(w.Out, '"')
}

var timeType = reflect.TypeFor[metav1.Time]()

// time that a decoder is about to read.
func (b *bounds) time() error {
	value := b.Value()
	if string(value) == "null" {
		return nil
	}
	if len(value) == 0 || value[0] != '"' {
		return errNoTime
	}
	_, err := parseTime(StringOf(value))
	return err
}
