package unstructured

import (
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// requestToV1beta1 moves the fields of exactly into the request. v1beta1 always has a deviceClassName, which is empty
// in a request without a class. A name that is both in the request and in exactly, which the fields of no release are,
// occurs twice, so that the API server can report that.
func requestToV1beta1(request []objectjson.Member) ([]objectjson.Member, error) {
	var converted []objectjson.Member
	hasClass := false
	for _, m := range request {
		if m.Name != "exactly" {
			converted = append(converted, m)
			continue
		}
		exactly, err := membersOrNull(m.Value)
		if err != nil {
			return nil, objectjson.AtPath("exactly", err)
		}
		converted = append(converted, exactly...)
		hasClass = objectjson.Find(exactly, "deviceClassName") >= 0
	}
	if hasClass {
		return converted, nil
	}
	afterName := 0
	if len(converted) > 0 && converted[0].Name == "name" {
		afterName = 1
	}
	return slices.Insert(converted, afterName, objectjson.Member{Name: "deviceClassName", Value: []byte(`""`)}), nil
}

// requestToV1 moves fields of the request into exactly, as Kubernetes does: exactly is there if one of its fields is
// set, if only to an empty list, and has the fields that are set.
//
// A field that this package does not know is moved into exactly as well, which is where Kubernetes has added fields so
// far. Without an exactly it stays in the request.
func requestToV1(request []objectjson.Member) ([]objectjson.Member, error) {
	var name, exactly, others, unknown []objectjson.Member
	isExact := false
	for _, m := range request {
		field, isKnown := api.FindRequestField(m.Name)
		switch {
		case m.Name == "exactly": // is not a field of v1beta1
		case m.Name == "name":
			name = append(name, m)
		case !isKnown:
			exactly = append(exactly, m)
			unknown = append(unknown, m)
		case !field.InExactly:
			others = append(others, m)
		case isSet(field, m.Value):
			exactly = append(exactly, m)
			isExact = true
		}
	}
	if !isExact {
		return slices.Concat(name, others, unknown), nil
	}
	return slices.Concat(name, []objectjson.Member{{Name: "exactly", Value: encode(exactly)}}, others), nil
}

// isSet reports whether the value of a field is not the one of an absent field.
func isSet(field api.RequestField, value []byte) bool {
	switch string(value) {
	case `""`, "false", "0", "-0":
		return !field.ZeroIsUnset
	}
	return !objectjson.IsNull(value)
}

// membersOrNull returns the members of an object, and none of null.
func membersOrNull(value []byte) ([]objectjson.Member, error) {
	if objectjson.IsNull(value) {
		return nil, nil
	}
	return membersOf(value)
}
