package jsonconvert

import (
	"slices"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
)

const exactly = "exactly"

// requestField is a row of the table of fields of a device request. TestTheTableOfRequestFields in the root module
// compares the behavior with the table in package api.
type requestField struct {
	name string
	// inExactly is true for the fields that are in `exactly` in v1 and v1beta2.
	inExactly bool
	// zeroIsUnset is true for a field whose zero value has the same meaning as an absent field. It is false for a
	// pointer.
	zeroIsUnset bool
}

var requestFields = []requestField{
	{name: "name"},
	{name: "firstAvailable"},
	{name: "deviceClassName", inExactly: true, zeroIsUnset: true},
	{name: "selectors", inExactly: true},
	{name: "allocationMode", inExactly: true, zeroIsUnset: true},
	{name: "count", inExactly: true, zeroIsUnset: true},
	{name: "adminAccess", inExactly: true},
	{name: "tolerations", inExactly: true},
	{name: "capacity", inExactly: true},
	{name: "derivedAttributes", inExactly: true},
}

// isOutsideExactly reports whether a field is in the request itself in all versions.
func isOutsideExactly(name string) bool {
	return slices.ContainsFunc(requestFields, func(f requestField) bool { return f.name == name && !f.inExactly })
}

// requestToV1beta1 moves the fields of exactly into the request. v1beta1 always has a deviceClassName, which is empty
// in a request without a class. If the request and exactly have a field of the same name, which happens in no release,
// the one in `exactly` is used.
func requestToV1beta1(request []rawjson.Member) ([]rawjson.Member, error) {
	converted := slices.DeleteFunc(slices.Clone(request), func(m rawjson.Member) bool { return m.Name == exactly })
	hasClass := false
	if i := rawjson.Find(request, exactly); i >= 0 {
		fields, err := membersOrNull(request[i].Value)
		if err != nil {
			return nil, rawjson.AtPath(exactly, err)
		}
		converted = override(converted, fields)
		hasClass = rawjson.Find(fields, "deviceClassName") >= 0
	}
	if hasClass {
		return converted, nil
	}
	afterName := 0
	if len(converted) > 0 && converted[0].Name == "name" {
		afterName = 1
	}
	return slices.Insert(converted, afterName, rawjson.Member{Name: "deviceClassName", Value: []byte(`""`)}), nil
}

// requestToV1 moves fields of the request into exactly, as Kubernetes does. The result has exactly if one of its fields
// is set, even to an empty list. An unknown field is moved into exactly, where Kubernetes has added fields so far, or
// stays in the request if there is no exactly.
func requestToV1(request []rawjson.Member) ([]rawjson.Member, error) {
	var nameMember, exactlyFields, otherFields, unknownFields []rawjson.Member
	hasExactly := false
	for _, m := range request {
		i := slices.IndexFunc(requestFields, func(f requestField) bool { return f.name == m.Name })
		switch {
		case m.Name == exactly: // dropped, because it is not a field of v1beta1
		case m.Name == "name":
			nameMember = append(nameMember, m)
		case i < 0:
			exactlyFields = append(exactlyFields, m)
			unknownFields = append(unknownFields, m) // used only if there is no exactly
		case !requestFields[i].inExactly:
			otherFields = append(otherFields, m)
		case requestFields[i].isSet(m.Value):
			exactlyFields = append(exactlyFields, m)
			hasExactly = true
		}
	}
	if !hasExactly {
		return slices.Concat(nameMember, otherFields, unknownFields), nil
	}
	exactlyMember := rawjson.Member{Name: exactly, Value: rawjson.Object(exactlyFields)}
	return slices.Concat(nameMember, []rawjson.Member{exactlyMember}, otherFields), nil
}

// isSet reports whether the value of a field is not the one of an absent field.
func (f requestField) isSet(value []byte) bool {
	switch string(value) {
	case `""`, "false", "0", "-0":
		return !f.zeroIsUnset
	}
	return !rawjson.IsAbsentOrNull(value)
}
