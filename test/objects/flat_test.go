package objects

import (
	"reflect"
	"testing"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// Objects of v1beta1 have each field of a request.
func TestEveryFieldOfARequestIsInV1beta1(t *testing.T) {
	n := 0
	exactly := v1.ExactDeviceRequest{}
	Fill(reflect.ValueOf(&exactly).Elem(), &n)
	spec := v1.ResourceClaimSpec{Devices: v1.DeviceClaim{Requests: []v1.DeviceRequest{{Name: "r", Exactly: &exactly}}}}
	flat := reflect.ValueOf(toV1beta1(spec).Devices.Requests[0])
	for i := range reflect.TypeOf(exactly).NumField() {
		name := reflect.TypeOf(exactly).Field(i).Name
		got := flat.FieldByName(name)
		if !got.IsValid() || !reflect.DeepEqual(got.Interface(), reflect.ValueOf(exactly).Field(i).Interface()) {
			t.Errorf("%s is %v", name, got)
		}
	}
}
