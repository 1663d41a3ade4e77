package kjson

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
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
