package kjson

import (
	"fmt"
	"math"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reading a quantity costs more than its length says: 1e-9999999 is rounded up to a billionth by way of a number of ten million
// digits, which takes a minute. What API servers store has at most 19 digits before the point and 9 behind it, a suffix or an
// exponent of one or two digits; this is twice that.
const (
	maxQuantity = 64 // bytes
	maxExponent = 3  // digits
)

var (
	errNoQuantity    = &DecodeError{Why: "must be a quantity such as 10Gi"}
	errLostQuantity  = &DecodeError{Why: "is a quantity of 10^21 or more, which is written as another one"}
	errGreatQuantity = &DecodeError{Why: fmt.Sprintf("is a quantity of more than %d characters, or with an exponent of more than %d digits", maxQuantity, maxExponent)}
)

// affordable reports whether a quantity is one that can be read.
func affordable(text string) bool {
	if len(text) > maxQuantity {
		return false
	}
	rest := strings.TrimRight(text, "0123456789")
	digits := len(text) - len(rest)
	if n := len(rest); n > 0 && strings.ContainsAny(rest[n-1:], "+-") {
		rest = rest[:n-1]
	}
	return digits <= maxExponent || !strings.HasSuffix(strings.ToLower(rest), "e")
}

// quantity reads a text or a number, as the library does: blanks around it do not count, and nothing in it may be escaped.
func (r *reader) quantity(into *resource.Quantity) error {
	value := View(r.Value())
	switch {
	case value == "":
		return nil
	case value[0] == '"':
		value = value[1 : len(value)-1]
	}
	if value = strings.TrimSpace(value); !affordable(value) {
		return errGreatQuantity
	}
	q, err := resource.ParseQuantity(value)
	switch {
	case err != nil:
		return errNoQuantity
	case !comesBack(q):
		return errLostQuantity
	}
	*into = q
	return nil
}

// comesBack reports whether a quantity is what it says when it is written. From 10^21 on the library writes another one, as it has no
// suffix for it.
func comesBack(q resource.Quantity) bool {
	if q.CmpInt64(math.MaxInt64) <= 0 && q.CmpInt64(math.MinInt64) >= 0 {
		return true
	}
	again, err := resource.ParseQuantity(q.String())
	return err == nil && again.Cmp(q) == 0
}

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
