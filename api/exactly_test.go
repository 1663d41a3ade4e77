package api_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

func TestRequestFields(t *testing.T) {
	for name, want := range map[string]struct {
		field     api.RequestField
		isKnown   bool
		v1, beta1 string
	}{
		"name":           {api.RequestField{Name: "name", ZeroIsUnset: true}, true, "name", "name"},
		"firstAvailable": {api.RequestField{Name: "firstAvailable"}, true, "firstAvailable", "firstAvailable"},
		"deviceClassName": {
			api.RequestField{"deviceClassName", true, true}, true, "exactly.deviceClassName", "deviceClassName",
		},
		"count":           {api.RequestField{"count", true, true}, true, "exactly.count", "count"},
		"adminAccess":     {api.RequestField{"adminAccess", true, false}, true, "exactly.adminAccess", "adminAccess"},
		"tolerations":     {api.RequestField{"tolerations", true, false}, true, "exactly.tolerations", "tolerations"},
		"ofALaterRelease": {api.RequestField{}, false, "exactly.ofALaterRelease", "ofALaterRelease"},
	} {
		field, isKnown := api.FindRequestField(name)
		if field != want.field || isKnown != want.isKnown {
			t.Errorf("%s: %+v, %v", name, field, isKnown)
		}
		for version, path := range map[string]string{"v1": want.v1, "v1beta2": want.v1, "v1beta1": want.beta1} {
			if got := strings.Join(api.RequestFieldPath(version, name), "."); got != path {
				t.Errorf("%s in %s is %s", name, version, got)
			}
		}
	}
	if _, isKnown := api.FindRequestField("exactly"); isKnown {
		t.Error("exactly has a row")
	}
	if first, before := api.ExactlySince(); first != "v1beta2" || before != "v1beta1" {
		t.Errorf("exactly is in %s, not in %s", first, before)
	}
}

// The types of v1beta1 have the same fields as the table, and convert each field that v1 has in `exactly`.
func TestRequestsOfV1beta1HaveTheFieldsOfTheTable(t *testing.T) {
	var got, want []string
	for field := range reflect.TypeFor[v1beta1.DeviceRequest]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		got = append(got, name)
	}
	for _, field := range api.RequestFields() {
		want = append(want, field.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("v1beta1 has other fields:\n%s", diff)
	}
	exact := v1.ExactDeviceRequest{}
	value := reflect.ValueOf(&exact).Elem()
	for i := range value.NumField() {
		value.Field(i).Set(nonZero(value.Field(i).Type()))
	}
	var request v1beta1.DeviceRequest
	request.SetExactly(exact)
	if diff := cmp.Diff(exact, request.Exactly()); diff != "" {
		t.Errorf("the round trip changed a request:\n%s", diff)
	}
}

// nonZero returns a value of a type that is not its zero value.
func nonZero(of reflect.Type) reflect.Value {
	switch of.Kind() {
	case reflect.Pointer:
		return reflect.New(of.Elem())
	case reflect.Slice:
		return reflect.MakeSlice(of, 1, 1)
	case reflect.Int64:
		return reflect.ValueOf(int64(1)).Convert(of)
	default:
		return reflect.ValueOf("x").Convert(of)
	}
}
