package preserve

import (
	"bytes"
	"maps"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apiconversion "k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// equalValues compares two values of one type as Kubernetes does: nil and empty lists are equal, and quantities and
// times are equal if their values are. Parameters of drivers are equal if their JSON has the same content. An API
// server turns numbers in custom resources that are no int64 into float64, so numbers are compared as such. A manifest
// keeps all digits.
func equalValues(a, b any, withAllDigits bool) bool {
	if withAllDigits {
		return exactEqualities.DeepEqual(a, b)
	}
	return apiEqualities.DeepEqual(a, b)
}

var (
	apiEqualities = equalitiesWith(func(a, b []byte) bool {
		return equalExactly(a, b) || bytes.Equal(objectjson.Canonical(a), objectjson.Canonical(b))
	})
	exactEqualities = equalitiesWith(equalExactly)
)

func equalitiesWith(equalParameters func(a, b []byte) bool) apiconversion.Equalities {
	e := apiconversion.EqualitiesOrDie(func(a, b runtime.RawExtension) bool {
		if len(a.Raw) == 0 || len(b.Raw) == 0 {
			return len(a.Raw) == len(b.Raw)
		}
		return bytes.Equal(a.Raw, b.Raw) || equalParameters(a.Raw, b.Raw)
	})
	maps.Copy(e.Equalities, equality.Semantic.Equalities)
	return e
}

// equalExactly reports whether two JSON values have the same content, with all digits of their numbers. The order of
// members, white space, escapes and the spelling of numbers do not matter.
func equalExactly(a, b []byte) bool {
	return bytes.Equal(objectjson.CanonicalWithDigits(withExactNumbers(a)),
		objectjson.CanonicalWithDigits(withExactNumbers(b)))
}

// withExactNumbers returns a JSON value with each number in one spelling.
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
