package preserve

import (
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// withExactNumbers returns a JSON value with each number in canonical form, so that equal numbers have equal text.
func withExactNumbers(value []byte) []byte {
	out := make([]byte, 0, len(value)+len(value)/4)
	for begin, end := range objectjson.Tokens(value) {
		token := value[begin:end]
		if c := token[0]; c == '-' || '0' <= c && c <= '9' {
			out = append(out, exactNumber(string(token))...)
		} else {
			out = append(out, token...)
		}
	}
	return out
}

// exactNumber returns the significant digits of a number and its power of ten.
func exactNumber(number string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(number), "e")
	exponent := int64(0)
	if power != "" {
		var err error
		exponent, err = strconv.ParseInt(power, 10, 32)
		if err != nil {
			return number
		}
	}
	unsigned, isNegative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(unsigned, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return "0"
	}
	exponent += int64(len(digits)-len(significant)) - int64(len(fraction))
	sign := ""
	if isNegative {
		sign = "-"
	}
	return sign + significant + "e" + strconv.FormatInt(exponent, 10)
}
