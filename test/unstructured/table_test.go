package unstructured

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestTheTableOfRequestFields: the conversion moves the fields that are in `exactly` by the table in package api, and
// takes a zero value for an absent field by that table. The bridge is a separate module with a separate table.
func TestTheTableOfRequestFields(t *testing.T) {
	for _, field := range api.RequestFields() {
		for value, isSet := range map[string]bool{
			"null": false, `""`: !field.ZeroIsUnset, "0": !field.ZeroIsUnset, "false": !field.ZeroIsUnset, "[]": true,
		} {
			request := `{"` + field.Name + `":` + value + `}`
			want := request
			switch {
			case field.InExactly && isSet:
				want = `{"exactly":` + request + `}`
			case field.InExactly:
				want = `{}`
			}
			if got := convertedRequest(t, request); got != want {
				t.Errorf("%s in v1beta1 is %s in v1, want %s", request, got, want)
			}
		}
	}
}

func convertedRequest(t *testing.T, request string) string {
	t.Helper()
	claim := `{"spec":{"devices":{"requests":[` + request + `]}}}`
	converted := must.Get(jsonconvert.Convert([]byte(claim), api.KindClaim, "v1beta1", "v1"))(t)
	text := strings.TrimPrefix(string(converted), `{"spec":{"devices":{"requests":[`)
	return strings.TrimSuffix(text, `]}}}`)
}

// TestTheFieldsOfADevice of v1 are dropped from a v1beta1 device where they are not in basic. Other fields are kept.
func TestTheFieldsOfADevice(t *testing.T) {
	for field := range reflect.TypeFor[resourcev1.Device]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "name" {
			continue
		}
		slice := `{"spec":{"devices":[{"name":"d","` + name + `":1,"later":2}]}}`
		converted := must.Get(jsonconvert.Convert([]byte(slice), "ResourceSlice", "v1beta1", "v1"))(t)
		var got struct {
			Spec struct{ Devices []map[string]any }
		}
		must.Do(t, json.Unmarshal(converted, &got))
		if device := got.Spec.Devices[0]; device[name] != nil || device["later"] == nil {
			t.Errorf("%s: %s", name, converted)
		}
	}
}

// TestHasSameFields: a member of an object has the same fields in two versions if Kubernetes' types say so.
func TestHasSameFields(t *testing.T) {
	for _, version := range jsonconvert.Versions() {
		for _, other := range jsonconvert.Versions() {
			for _, kind := range jsonconvert.Kinds() {
				for _, member := range []string{"spec", "status"} {
					shape := shapeOf(version, kind, member)
					want := shape != "" && shape == shapeOf(other, kind, member)
					if got := jsonconvert.HasSameFields(kind, member, version, other); got != want {
						t.Errorf("%s of %s in %s and %s: %t", member, kind, version, other, got)
					}
				}
			}
		}
	}
}

// shapeOf returns the names and types of all fields in a member of an object, or "" if there is no such member.
func shapeOf(version, kind, member string) string {
	field, ok := reflect.TypeOf(typeOf(version, kind)).Elem().FieldByNameFunc(func(name string) bool {
		return strings.EqualFold(name, member)
	})
	if !ok {
		return ""
	}
	return shape(field.Type)
}

func shape(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Pointer:
		return shape(of.Elem())
	case reflect.Slice, reflect.Map:
		return of.Kind().String() + " of " + shape(of.Elem())
	case reflect.Struct:
		fields := "{"
		for field := range of.Fields() {
			fields += field.Tag.Get("json") + ": " + shape(field.Type) + "\n"
		}
		return fields + "}"
	}
	return of.Kind().String()
}
