package objectjson

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// A short quantity can take long to convert: 1e-9999999 is a number of ten million digits and takes a minute, and 1e999
// takes half a millisecond, of which a claim can have ten thousand. A quantity of a built-in
// kind has at most 19 digits before the point and 9 after it, and a suffix or an exponent of one or two digits.
const (
	maxQuantity = 64 // bytes
	maxExponent = 2  // digits
)

var (
	errInvalidQuantity = &FieldError{Reason: "must be a quantity such as 10Gi"}
	errQuantityTooLong = &FieldError{Reason: fmt.Sprintf("is a quantity of more than %d characters, or with an exponent "+
		"of more than %d digits", maxQuantity, maxExponent)}
)

// isWithinLimits reports whether a quantity is short enough to be parsed.
func isWithinLimits(text string) bool {
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

// readQuantity reads a string or a number as the method of the type does: without the blanks around it. A string must
// have no escapes.
func readQuantity(value []byte, into *resource.Quantity) error {
	if bytes.Equal(value, null) {
		return nil
	}
	text := string(value)
	if text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	if text = strings.TrimSpace(text); !isWithinLimits(text) {
		return errQuantityTooLong
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return errInvalidQuantity
	}
	if !makeExact(&q, text) && !isWithinLimits(quantityText(q)) {
		return errQuantityTooLong
	}
	*into = q
	return nil
}

// makeExact sets a quantity to the value of its text. Package resource caps binary quantities at 2^63-1 and rounds
// decimal ones up to a billionth. A custom resource stores the text. It reports whether package resource writes the
// quantity without loss.
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
		value.SetScale(addToScale(value.Scale(), -exponent))
	}
	*q = exact
	return false
}

// maxPlaces is the number of decimal places that package resource keeps.
const maxPlaces = 9

// addToScale returns a sum in the type of a scale, whose package is not imported here.
func addToScale[Scale ~int32](scale Scale, n int) Scale { return scale + Scale(n) }

// isInRange reports whether the absolute value of a quantity is less than 2^63-1.
func isInRange(q *resource.Quantity) bool {
	return q.CmpInt64(math.MaxInt64) < 0 && q.CmpInt64(-math.MaxInt64) > 0
}

// quantityText returns a quantity in canonical form, or with an exponent if that form has another value: package
// resource has no suffix from 10^21 on and below a billionth.
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
