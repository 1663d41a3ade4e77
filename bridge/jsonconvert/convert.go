package jsonconvert

import (
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
)

// Group is the API group of all objects.
const Group = "resource.k8s.io"

const (
	kindClass    = "DeviceClass"
	kindClaim    = "ResourceClaim"
	kindTemplate = "ResourceClaimTemplate"
	kindSlice    = "ResourceSlice"

	v1beta1 = "v1beta1"
)

// Versions returns the versions that convert into each other, the newest first.
func Versions() []string { return []string{"v1", "v1beta2", v1beta1} }

// Kinds returns the kinds that have a conversion, sorted by name.
func Kinds() []string { return []string{kindClass, kindClaim, kindTemplate, kindSlice} }

// canConvert reports whether objects of a kind convert from one version to another.
func canConvert(kind, from, to string) bool {
	return from != to && slices.Contains(Versions(), from) && slices.Contains(Versions(), to) &&
		slices.Contains(Kinds(), kind)
}

// Convert returns an object of a kind in another version, such as from "v1beta1" to "v1". The object may be incomplete,
// such as the object of an apply request. An object without apiVersion and kind, such as an item of a list, is returned
// without them.
func Convert(object []byte, kind, from, to string) ([]byte, error) {
	if !canConvert(kind, from, to) {
		return nil, fmt.Errorf("no conversion of %s from %s to %s of %s", kind, from, to, Group)
	}
	members, err := rawjson.Members(object)
	if err != nil {
		return nil, err
	}
	if err := checkType(members, kind, from); err != nil {
		return nil, err
	}
	for i, m := range members {
		switch {
		case m.Name == "apiVersion" && rawjson.String(m.Value) != "":
			members[i].Value = rawjson.Quote(Group + "/" + to)
		case m.Name == "spec":
			members[i].Value, err = convertSpec(m.Value, kind, from, to)
			if err != nil {
				return nil, rawjson.AtPath("spec", err)
			}
		}
	}
	return rawjson.Object(members), nil
}

// checkType returns an error if an object has another version or kind. It may have none.
func checkType(object []rawjson.Member, kind, version string) error {
	for _, field := range []struct{ name, title, expected string }{
		{"apiVersion", "API version", Group + "/" + version},
		{"kind", "kind", kind},
	} {
		value := rawjson.Get(object, field.name)
		text := rawjson.String(value)
		isText := rawjson.IsAbsentOrNull(value) || value[0] == '"'
		if !isText || text != "" && text != field.expected {
			return rawjson.AtPath(field.name, fmt.Errorf("the %s in the data (%s) does not match the expected %s (%s)",
				field.title, text, field.title, field.expected))
		}
	}
	return nil
}

// convertSpec converts the spec of a kind. v1beta2 and v1 have the same specs.
func convertSpec(spec []byte, kind, from, to string) ([]byte, error) {
	if HasSameFields(kind, "spec", from, to) {
		return spec, nil
	}
	convertRequest, convertDevice := requestToV1, deviceToV1
	if to == v1beta1 {
		convertRequest, convertDevice = requestToV1beta1, deviceToV1beta1
	}
	switch kind {
	case kindClaim:
		return rawjson.Edit(spec, []string{"devices", "requests", rawjson.EachItem}, editMembers(convertRequest))
	case kindTemplate:
		return rawjson.Edit(spec, []string{"spec", "devices", "requests", rawjson.EachItem}, editMembers(convertRequest))
	default: // a slice
		spec, err := rawjson.Edit(spec, []string{"devices", rawjson.EachItem}, editMembers(convertDevice))
		if err != nil {
			return nil, err
		}
		return editMembers(withoutUnsetNodes)(spec)
	}
}

// editMembers returns an edit of the members of an object. It does not change null.
func editMembers(edit func([]rawjson.Member) ([]rawjson.Member, error)) func([]byte) ([]byte, error) {
	return func(object []byte) ([]byte, error) {
		if rawjson.IsAbsentOrNull(object) {
			return object, nil
		}
		members, err := rawjson.Members(object)
		if err != nil {
			return nil, err
		}
		if members, err = edit(members); err != nil {
			return nil, err
		}
		return rawjson.Object(members), nil
	}
}

// membersOrNull returns the members of an object, or nil if the value is absent or null.
func membersOrNull(value []byte) ([]rawjson.Member, error) {
	if rawjson.IsAbsentOrNull(value) {
		return nil, nil
	}
	return rawjson.Members(value)
}

// override returns members and their overrides. It drops members that have the name of an override, in place.
func override(members, overrides []rawjson.Member) []rawjson.Member {
	names := make(map[string]bool, len(overrides))
	for _, m := range overrides {
		names[m.Name] = true
	}
	members = slices.DeleteFunc(members, func(m rawjson.Member) bool { return names[m.Name] })
	return append(members, overrides...)
}
