package hub

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/test/objects"
)

// A request with one field round-trips through v1beta2, where the field is in `exactly`, with or without a class. A
// new field fails this test until each list has it.
func TestEachFieldOfARequestMovesIntoExactly(t *testing.T) {
	exactly := reflect.TypeFor[v1.ExactDeviceRequest]()
	for i := range exactly.NumField() {
		name := exactly.Field(i).Name
		for what, set := range map[string]func(reflect.Value){
			"something": func(v reflect.Value) { n := 0; objects.Fill(v, &n) },
			"nothing, in so many words": func(v reflect.Value) {
				switch v.Kind() {
				case reflect.Pointer:
					v.Set(reflect.New(v.Type().Elem()))
				case reflect.Slice:
					v.Set(reflect.MakeSlice(v.Type(), 0, 0))
				}
			},
		} {
			for _, class := range []string{"", "c"} {
				old := v1beta1.DeviceRequest{Name: "r", DeviceClassName: class}
				field := reflect.ValueOf(&old).Elem().FieldByName(name)
				if !field.IsValid() {
					t.Fatalf("v1beta1 has no %s next to the name", name)
				}
				set(field)
				if reflect.DeepEqual(old, v1beta1.DeviceRequest{Name: "r"}) {
					continue // an absent string or number
				}
				new := v1beta1RequestToV1(old)
				if new.Exactly == nil {
					t.Fatalf("%s with %s, class %q: there is no exactly", name, what, class)
				}
				got := reflect.ValueOf(new.Exactly).Elem().FieldByName(name)
				if !reflect.DeepEqual(got.Interface(), field.Interface()) {
					t.Errorf("%s with %s, class %q: %v in exactly", name, what, class, got)
				}
				if diff := cmp.Diff(old, v1RequestToV1beta1(new)); diff != "" {
					t.Errorf("%s with %s, class %q: back (-want +got):\n%s", name, what, class, diff)
				}
			}
		}
	}
	if flat := reflect.TypeFor[v1beta1.DeviceRequest](); flat.NumField() != exactly.NumField()+2 {
		t.Errorf("v1beta1 has %d fields of a request, and exactly has %d: only name and firstAvailable are not in it",
			flat.NumField(), exactly.NumField())
	}
}
