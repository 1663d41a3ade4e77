package conversion

import (
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

func leftoverOf(t *testing.T, object []byte) string {
	t.Helper()
	switch o := typed(t, object).(type) {
	case *v1alpha1.ResourceClaim:
		return o.Status.ClaimbridgeLeftover
	case *v1alpha2.ResourceClaim:
		return o.Status.ClaimbridgeLeftover
	}
	t.Fatalf("no such field in %.200s", object)
	return ""
}
