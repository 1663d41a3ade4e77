package objects

import (
	"reflect"
	"testing"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// Objects of v1beta1 have every field that a request has in v1.
func TestEveryFieldOfARequestIsInV1beta1(t *testing.T) {
	n := 0
	exactly := v1.ExactDeviceRequest{}
	Fill(reflect.ValueOf(&exactly).Elem(), &n)
	spec := v1.ResourceClaimSpec{Devices: v1.DeviceClaim{Requests: []v1.DeviceRequest{{Name: "r", Exactly: &exactly}}}}
	got := reflect.ValueOf(toV1beta1(spec).Devices.Requests[0])
	want := reflect.ValueOf(exactly)
	for i := range want.NumField() {
		name := want.Type().Field(i).Name
		field := got.FieldByName(name)
		if !field.IsValid() || !reflect.DeepEqual(field.Interface(), want.Field(i).Interface()) {
			t.Errorf("field %s: got %v, want %v", name, field, want.Field(i))
		}
	}
}
