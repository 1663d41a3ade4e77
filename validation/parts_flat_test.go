package validation

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// Rules see every field of a request, whatever the version. A field that is added to the types
// fails here until each of the lists has it.
func TestRulesSeeEveryFieldOfARequest(t *testing.T) {
	served := api.Stored().Served()
	latest := releaseOf(served[len(served)-1])
	exactly := reflect.TypeFor[v1.ExactDeviceRequest]()
	for i := range exactly.NumField() {
		name := exactly.Field(i).Name
		n := 0
		flat := v1beta1.DeviceRequest{Name: "r"}
		objects.Fill(reflect.ValueOf(&flat).Elem().FieldByName(name), &n)
		want := reflect.ValueOf(flat).FieldByName(name).Interface()
		got := requestsOf([]v1beta1.DeviceRequest{flat}, latest)[0].Exactly
		if got == nil {
			t.Errorf("%s alone makes no exactly", name)
			continue
		}
		if diff := cmp.Diff(want, reflect.ValueOf(*got).FieldByName(name).Interface()); diff != "" {
			t.Errorf("%s of a request of v1beta1 (-want +got):\n%s", name, diff)
		}
		seen := reflect.ValueOf(*asAlternative(got)).FieldByName(name)
		if name == "AdminAccess" { // of which an alternative has none
			continue
		}
		if !seen.IsValid() || !reflect.DeepEqual(seen.Interface(), want) {
			t.Errorf("%s is not among what is wanted", name)
		}
	}
}

// And every one that v1alpha3 has.
func TestRulesSeeEveryFieldOfV1alpha3(t *testing.T) {
	n := 0
	var old v1alpha3.DeviceRequest
	objects.Fill(reflect.ValueOf(&old).Elem(), &n)
	inJSON := func(request any) string { return string(kjson.Ordered(encode(t, request))) }
	if diff := cmp.Diff(inJSON(old), inJSON(old.InV1beta1())); diff != "" {
		t.Errorf("in v1beta1 (-was +is):\n%s", diff)
	}
}
