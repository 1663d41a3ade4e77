package kjson

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reading a quantity costs more than its length says: 1e-9999999 is a number of ten million digits,
// which takes a minute. What API servers store has at most 19 digits before the point and 9 behind
// it, a suffix or an exponent of one or two digits; this is twice that.
const (
	maxQuantity = 64 // bytes
	maxExponent = 3  // digits
)

var (
	errNoQuantity    = &DecodeError{Why: "must be a quantity such as 10Gi"}
	errGreatQuantity = &DecodeError{Why: fmt.Sprintf("is a quantity of more than %d characters, or with an exponent "+
		"of more than %d digits", maxQuantity, maxExponent)}
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

// quantity reads a text or a number, as the library does: blanks around it do not count, and
// nothing in it may be escaped.
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
	if err != nil {
		return errNoQuantity
	}
	if !makeExact(&q, value) && !affordable(quantityText(q)) {
		return errGreatQuantity
	}
	*into = q
	return nil
}

// makeExact gives a quantity the value of its text. The library caps binary quantities at 2^63-1
// and rounds decimal ones up to a billionth, which a custom resource does not: it stores what was
// written. It reports whether the library writes the quantity as it is.
func makeExact(q *resource.Quantity, text string) bool {
	number := text[:len(text)-len(strings.TrimLeft(text, "+-.0123456789"))]
	suffix := text[len(number):]
	isBinary := strings.HasSuffix(suffix, "i")
	exponent := 0
	switch {
	case isBinary:
		exponent = 10 * (1 + strings.IndexByte("KMGTPE", suffix[0]))
	case len(suffix) > 1:
		exponent, _ = strconv.Atoi(suffix[1:])
	case suffix != "":
		exponent = 3 * (strings.IndexByte("num kMGTPE", suffix[0]) - 3)
	}
	_, fraction, _ := strings.Cut(number, ".")
	places := len(fraction)
	if !isBinary {
		places -= exponent
	}
	isCapped := isBinary && !isInRange(q)
	if places <= maxPlaces && !isCapped {
		return isInRange(q)
	}
	exact := resource.Quantity{Format: q.Format}
	value := exact.AsDec()
	value.SetString(number)
	if isBinary {
		unscaled := value.UnscaledBig()
		value.SetUnscaledBig(unscaled.Lsh(unscaled, uint(exponent)))
	} else {
		value.SetScale(shifted(value.Scale(), -exponent))
	}
	*q = exact
	return false
}

// maxPlaces is how many decimal places the library keeps.
const maxPlaces = 9

// shifted is a scale, of the type that the library has for them.
func shifted[Scale ~int32](scale Scale, by int) Scale { return scale + Scale(by) }

// isInRange reports whether a quantity is below the greatest one that the library has a binary suffix for.
func isInRange(q *resource.Quantity) bool {
	return q.CmpInt64(math.MaxInt64) < 0 && q.CmpInt64(-math.MaxInt64) > 0
}

// quantityText writes a quantity in the library's canonical form, or with an exponent where that
// form is another value: the library has no suffix from 10^21 on and below a billionth.
func quantityText(q resource.Quantity) string {
	text := q.String()
	if _, hasSuffix := q.AsScale(resource.Nano); hasSuffix && isInRange(&q) {
		return text
	}
	again, err := resource.ParseQuantity(text)
	if err == nil {
		makeExact(&again, text)
	}
	if err == nil && again.Cmp(q) == 0 {
		return text
	}
	written := resource.Quantity{Format: resource.DecimalExponent}
	original := q.DeepCopy()
	written.AsDec().Set(original.AsDec())
	return written.String()
}

var (
	errNoTime = &DecodeError{Why: "must be a time as RFC 3339 has it, such as 2026-01-31T12:00:00Z"}
	// An API server would write such a time in UTC, which nobody can read.
	errFarTime = &DecodeError{
		Why: "is a time whose year in UTC is before 0 or after 9999, which RFC 3339 has no text for",
	}
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

// time writes a time in UTC; none is null. Fractions of a second, which Kubernetes cuts off, stay.
// The first second of the year 1 is a time like any other when somebody wrote it: it was read as a
// local time, which none is not.
func (w *writer) time(t metav1.Time) {
	if t.IsZero() && t.Location() == time.UTC {
		w.raw(nil)
		return
	}
	w.out = append(w.out, '"')
	w.out = t.UTC().AppendFormat(w.out, time.RFC3339Nano)
	w.out = append(w.out, '"')
}
