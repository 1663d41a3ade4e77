package v1alpha2

import (
	"reflect"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// EqualHandle compares two handles as the API server sees them: absent and empty lists are the same, and so are parameters that say the same.
func EqualHandle(a, b v1alpha2.ResourceHandle) bool {
	if a.StructuredData == nil && b.StructuredData == nil {
		return a == b
	}
	return reflect.DeepEqual(a, b) || HandleKey(&a) == HandleKey(&b)
}

// HandleKey is the same for handles that are equal: canonical JSON.
func HandleKey(h *v1alpha2.ResourceHandle) string {
	return kjson.View(kjson.AppendCanonical(nil, h))
}
