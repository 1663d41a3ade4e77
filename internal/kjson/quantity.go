package kjson

import (
	"fmt"
	"math"
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Reading a quantity costs more than its length says: 1e-9999999 is rounded up to a billionth by way of a number of ten million
// digits, which takes a minute. What API servers store has at most 19 digits before the point and 9 behind it, a suffix or an
// exponent of one or two digits; this is twice that.
const (
	maxQuantity = 64 // bytes
	maxExponent = 3  // digits
)

var errLostQuantity = &DecodeError{Why: "is a quantity of 10^21 or more, which is written as another one"}

var errGreatQuantity = &DecodeError{Why: fmt.Sprintf("is a quantity of more than %d characters, or with an exponent of more than %d digits", maxQuantity, maxExponent)}

// affordable reports whether a quantity is one that can be read.
func affordable(text string) bool {
	if len(text) > maxQuantity {
		return false
	}
	digits := 0
	for i := len(text) - 1; i >= 0 && '0' <= text[i] && text[i] <= '9'; i-- {
		digits++
	}
	at := len(text) - digits - 1
	if at > 0 && (text[at] == '+' || text[at] == '-') {
		at--
	}
	return digits <= maxExponent || at < 0 || text[at] != 'e' && text[at] != 'E'
}

// Quantity reads a quantity that is written as a text.
func (r *Reader) Quantity() (q resource.Quantity) {
	text := r.Text()
	if !affordable(text) {
		r.Fail()
		return q
	}
	q, err := resource.ParseQuantity(text)
	if err != nil || !comesBack(q) {
		r.Fail()
	}
	return q
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

// Quantity writes a quantity in its canonical form, as API servers do.
func (w *Writer) Quantity(q resource.Quantity) { w.Text(q.String()) }

var quantityType = reflect.TypeFor[resource.Quantity]()

// quantity that a decoder is about to read, as a text or as a number.
func (b *bounds) quantity() error {
	value := b.Value()
	text := StringOf(value)
	if text == "" {
		text = string(value) // a number, or nothing that the decoder takes
	}
	if !affordable(text) {
		return errGreatQuantity
	}
	if q, err := resource.ParseQuantity(text); err == nil && !comesBack(q) {
		return errLostQuantity
	}
	return nil
}
