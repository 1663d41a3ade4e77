package validation

import (
	"reflect"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestLosslessVersionsPreserveNothing checks that a version is lossless exactly if its objects preserve no data.
func TestLosslessVersionsPreserveNothing(t *testing.T) {
	source := objects.New(objects.Seed(t))
	carried := map[string]bool{}
	for i := range 300 {
		stored := objectjson.Marshal(source.Object(conversion.Stored(), objects.Kinds[i%2]))
		for name := range claimReaders {
			_, report := must.Get2(conversion.ConvertJSON(stored, name, conversion.Options{ListPreserved: true}))(t)
			carried[name] = carried[name] || len(report.Preserved) > 0
		}
	}
	for name := range claimReaders {
		if api.IsLossless(name) == carried[name] {
			t.Errorf("%s: lossless is %t, but stored objects preserve data: %t", name,
				api.IsLossless(name), carried[name])
		}
	}
}

// TestPreservedDataIsFoundInEveryStatus: the status of a lossy version has a field for preserved data, and
// its changes are found.
func TestPreservedDataIsFoundInEveryStatus(t *testing.T) {
	for name := range claimReaders {
		status := reflect.ValueOf(api.New(name, api.KindClaim)).Elem().FieldByName("Status")
		f := status.FieldByName("ClaimbridgeLeftover")
		if f.IsValid() == api.IsLossless(name) {
			t.Errorf("%s: lossless is %t, but it has a field for preserved data: %t", name, api.IsLossless(name), f.IsValid())
		}
		if !f.IsValid() {
			continue
		}
		f.SetString("something")
		if got := preservedIn(status.Addr().Interface()); got != "something" {
			t.Errorf("%s: found %q", name, got)
		}
	}
}
