package preserve

import (
	"bytes"
	"maps"

	"k8s.io/apimachinery/pkg/api/equality"
	apiconversion "k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// equalValues compares two values of one type as Kubernetes does: nil and empty lists are equal, and quantities and
// times are equal if their values are. Parameters of drivers are equal if their JSON has the same content. An API
// server turns numbers in custom resources that do not fit in an int64 into float64, so they are compared as float64. A
// manifest keeps all digits.
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
