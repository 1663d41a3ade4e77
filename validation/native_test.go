package validation

import (
	"reflect"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A version is native exactly when nothing of what is stored travels beside its objects.
func TestNativeVersionsCarryNothing(t *testing.T) {
	source := objects.New(objects.Seed(t))
	carried := map[string]bool{}
	for i := range 300 {
		stored := kjson.Marshal(source.Object(conversion.Stored(), objects.Kinds[i%2]))
		for name := range versions {
			_, report := must.Get2(conversion.JSON(stored, name, conversion.Options{Carried: true}))(t)
			carried[name] = carried[name] || len(report.Carried) > 0
		}
	}
	for name := range versions {
		if api.IsNative(name) == carried[name] {
			t.Errorf("%s: native is %t, and something is left over of objects that are stored: %t", name,
				api.IsNative(name), carried[name])
		}
	}
}

// A version that is not native has a field for its leftovers, whose changes are seen.
func TestLeftoversAreFoundInEveryStatusThatHasThem(t *testing.T) {
	for name := range versions {
		status := reflect.ValueOf(api.New(name, api.KindClaim)).Elem().FieldByName("Status")
		f := status.FieldByName("ClaimbridgeLeftover")
		if f.IsValid() == api.IsNative(name) {
			t.Errorf("%s: native is %t, and a field for leftovers is there: %t", name, api.IsNative(name), f.IsValid())
		}
		if !f.IsValid() {
			continue
		}
		f.SetString("something")
		if got := leftoverIn(status.Addr().Interface()); got != "something" {
			t.Errorf("%s: found %q", name, got)
		}
	}
}
