package unstructured

import (
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// deviceFields are the names of the fields of a device in v1.
var deviceFields = func() (names []string) {
	for field := range reflect.TypeFor[v1.Device]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}()

// deviceToV1beta1 moves all fields of a device except its name into basic, which v1beta1 always has.
func deviceToV1beta1(device []objectjson.Member) ([]objectjson.Member, error) {
	var converted, basic []objectjson.Member
	for _, m := range device {
		if m.Name == "name" {
			converted = append(converted, m)
		} else {
			basic = append(basic, m)
		}
	}
	return append(converted, objectjson.Member{Name: "basic", Value: encode(basic)}), nil
}

// deviceToV1 moves the fields of basic into the device. Fields of v1 that are not in basic are not fields of v1beta1:
// they are dropped.
func deviceToV1(device []objectjson.Member) ([]objectjson.Member, error) {
	var converted []objectjson.Member
	for _, m := range device {
		switch {
		case m.Name == "basic":
			basic, err := membersOrNull(m.Value)
			if err != nil {
				return nil, objectjson.AtPath("basic", err)
			}
			for _, b := range basic {
				if b.Name != "name" {
					converted = append(converted, b)
				}
			}
		case m.Name == "name" || !slices.Contains(deviceFields, m.Name):
			converted = append(converted, m)
		}
	}
	return converted, nil
}

// withoutUnsetNodes drops nodeName and allNodes of the spec of a slice if they are not set. v1 distinguishes "" and
// false from an absent field, and v1beta1 does not.
func withoutUnsetNodes(spec []objectjson.Member) ([]objectjson.Member, error) {
	return slices.DeleteFunc(spec, func(m objectjson.Member) bool {
		switch m.Name {
		case "nodeName":
			return objectjson.IsNull(m.Value) || string(m.Value) == `""`
		case "allNodes":
			return objectjson.IsNull(m.Value) || string(m.Value) == "false"
		}
		return false
	}), nil
}
