package validation

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// TestChecksReadEveryFieldOfARequest: a field that is added to the types must be added to the functions that list the
// fields.
func TestChecksReadEveryFieldOfARequest(t *testing.T) {
	served := api.Stored().ServingReleases()
	latest := releaseOf(served[len(served)-1])
	exactly := reflect.TypeFor[v1.ExactDeviceRequest]()
	for i := range exactly.NumField() {
		name := exactly.Field(i).Name
		n := 0
		flat := v1beta1.DeviceRequest{Name: "r"}
		objects.Fill(reflect.ValueOf(&flat).Elem().FieldByName(name), &n)
		want := reflect.ValueOf(flat).FieldByName(name).Interface()
		got := withExactly([]v1beta1.DeviceRequest{flat}, latest)[0].Exactly
		if got == nil {
			t.Errorf("%s alone makes no exactly", name)
			continue
		}
		if diff := cmp.Diff(want, reflect.ValueOf(*got).FieldByName(name).Interface()); diff != "" {
			t.Errorf("%s of a request of v1beta1 (-want +got):\n%s", name, diff)
		}
		seen := reflect.ValueOf(*asSubRequest(got)).FieldByName(name)
		if name == "AdminAccess" { // of which an alternative has none
			continue
		}
		if !seen.IsValid() || !reflect.DeepEqual(seen.Interface(), want) {
			t.Errorf("%s is not among what is wanted", name)
		}
	}
}

// TestChecksReadEveryFieldOfV1alpha3 is the same for v1alpha3.
func TestChecksReadEveryFieldOfV1alpha3(t *testing.T) {
	n := 0
	var old v1alpha3.DeviceRequest
	objects.Fill(reflect.ValueOf(&old).Elem(), &n)
	inJSON := func(request any) string { return string(objectjson.CanonicalWithDigits(encode(t, request))) }
	if diff := cmp.Diff(inJSON(old), inJSON(old.ToV1beta1())); diff != "" {
		t.Errorf("in v1beta1 (-was +is):\n%s", diff)
	}
}
