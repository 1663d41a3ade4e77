package jsonconvert

import (
	"slices"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
)

const basic = "basic"

// deviceFields are the names of the fields of a device in v1. A test in the root module compares them with Kubernetes'
// type.
var deviceFields = []string{
	"name", "attributes", "capacity", "consumesCounters", "nodeName", "nodeSelector", "allNodes", "taints",
	"bindsToNode", "bindingConditions", "bindingFailureConditions", "allowMultipleAllocations",
	"nodeAllocatableResources",
}

// deviceToV1beta1 moves all fields of a device except its name into basic, which v1beta1 always has.
func deviceToV1beta1(device []rawjson.Member) ([]rawjson.Member, error) {
	var converted, fields []rawjson.Member
	for _, m := range device {
		if m.Name == "name" {
			converted = append(converted, m)
		} else {
			fields = append(fields, m)
		}
	}
	return append(converted, rawjson.Member{Name: basic, Value: rawjson.Object(fields)}), nil
}

// deviceToV1 moves the fields of basic into the device. It drops known v1 fields outside basic, as an API server of
// v1beta1 does, and keeps unknown ones.
func deviceToV1(device []rawjson.Member) ([]rawjson.Member, error) {
	var converted []rawjson.Member
	for _, m := range device {
		if m.Name == "name" || m.Name != basic && !slices.Contains(deviceFields, m.Name) {
			converted = append(converted, m)
		}
	}
	fields, err := membersOrNull(rawjson.Get(device, basic))
	if err != nil {
		return nil, rawjson.AtPath(basic, err)
	}
	fields = slices.DeleteFunc(fields, func(m rawjson.Member) bool { return m.Name == "name" })
	return override(converted, fields), nil
}

// withoutUnsetNodes drops nodeName and allNodes of the spec of a slice if they are not set. v1 distinguishes "" and
// false from an absent field, and v1beta1 does not.
func withoutUnsetNodes(spec []rawjson.Member) ([]rawjson.Member, error) {
	return slices.DeleteFunc(spec, func(m rawjson.Member) bool {
		switch m.Name {
		case "nodeName":
			return rawjson.IsAbsentOrNull(m.Value) || string(m.Value) == `""`
		case "allNodes":
			return rawjson.IsAbsentOrNull(m.Value) || string(m.Value) == "false"
		}
		return false
	}), nil
}
