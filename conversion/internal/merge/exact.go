package merge

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// SameText reports whether two values are the same whoever reads them: order, white space and
// spelling do not count. An API server keeps the parameters of drivers as they were sent, with
// numbers of more digits than it could count with, so they are compared by all their digits.
func SameText(a, b []byte) bool {
	return bytes.Equal(kjson.Ordered(withDigits(a)), kjson.Ordered(withDigits(b)))
}

// withDigits is a value, which is JSON, whose numbers are written as their digits.
func withDigits(value []byte) []byte {
	out := make([]byte, 0, len(value)+len(value)/4)
	for begin, end := range kjson.Tokens(value) {
		token := value[begin:end]
		if c := token[0]; c == '-' || '0' <= c && c <= '9' {
			out = append(out, digits(string(token))...)
		} else {
			out = append(out, token...)
		}
	}
	return out
}

// digits of a number without zeros at its ends, and the power of ten.
func digits(number string) string {
	whole, power, _ := strings.Cut(strings.ToLower(number), "e")
	exponent := int64(0)
	if power != "" {
		var err error
		if exponent, err = strconv.ParseInt(power, 10, 32); err != nil {
			return number
		}
	}
	sign := ""
	if whole[0] == '-' {
		sign, whole = "-", whole[1:]
	}
	before, behind, _ := strings.Cut(whole, ".")
	all := strings.TrimLeft(before+behind, "0")
	exponent -= int64(len(behind))
	short := strings.TrimRight(all, "0")
	if short == "" {
		return "0"
	}
	return sign + short + "e" + strconv.FormatInt(exponent+int64(len(all)-len(short)), 10)
}
