package unstructured

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

const (
	kindClass = "DeviceClass"
	kindSlice = "ResourceSlice"
)

// Kinds returns the kinds of a version that have a conversion, sorted by name.
func Kinds(version string) []string {
	if isProjection(version) {
		return []string{api.KindClaim, api.KindTemplate}
	}
	return []string{kindClass, api.KindClaim, api.KindTemplate, kindSlice}
}

// CanConvert reports whether objects of a kind convert from one version to another, such as "v1" and "v1beta1".
func CanConvert(kind, from, to string) bool {
	switch {
	case from == to || !slices.Contains(conversion.Versions(), to) || !slices.Contains(Kinds(to), kind):
		return false
	case isProjection(to):
		return from == conversion.Stored()
	}
	return !isProjection(from)
}

// isProjection reports whether objects of a version are only for reading.
func isProjection(version string) bool { return !api.IsNative(version) }

// Convert returns an object of a kind in another version. The object may be incomplete, such as the object of an apply
// request. If it has no apiVersion and kind, such as the items of a list, the returned object has none either.
func Convert(object []byte, kind, from, to string) ([]byte, error) {
	if !CanConvert(kind, from, to) {
		return nil, fmt.Errorf("no conversion of %s from %s to %s of %s", kind, from, to, api.Group)
	}
	members, err := parse(object)
	if err != nil {
		return nil, err
	}
	if err := checkType(members, kind, from); err != nil {
		return nil, err
	}
	if isProjection(to) {
		return project(members, kind, from, to)
	}
	setVersion(members, []string{from}, to)
	if i := objectjson.Find(members, "spec"); i >= 0 {
		members[i].Value, err = convertSpec(members[i].Value, kind, from, to)
		if err != nil {
			return nil, objectjson.AtPath("spec", err)
		}
	}
	return encode(members), nil
}

// checkType returns an error if an object has another version or kind. It may have none.
func checkType(object []objectjson.Member, kind, version string) error {
	for _, field := range []struct{ name, title, expected string }{
		{"apiVersion", "API version", api.Group + "/" + version},
		{"kind", "kind", kind},
	} {
		value := objectjson.Get(object, field.name)
		text := objectjson.StringOf(value)
		isText := objectjson.StartsWith(value, '"') || objectjson.IsNull(value)
		if !isText || text != "" && text != field.expected {
			return &conversion.DecodeError{
				Field: field.name,
				Why: fmt.Sprintf("the %s in the data (%s) does not match the expected %s (%s)",
					field.title, text, field.title, field.expected),
			}
		}
	}
	return nil
}

// setVersion sets the apiVersion of an object, or of a reference to one, if it is one of the given versions.
func setVersion(object []objectjson.Member, versions []string, version string) {
	i := objectjson.Find(object, "apiVersion")
	if i < 0 {
		return
	}
	group, old, _ := strings.Cut(objectjson.StringOf(object[i].Value), "/")
	if group == api.Group && slices.Contains(versions, old) {
		object[i].Value = objectjson.Quote(api.Group + "/" + version)
	}
}

// convertSpec converts the spec of a kind. v1beta2 and v1 have the same specs.
func convertSpec(spec []byte, kind, from, to string) ([]byte, error) {
	if api.HasExactly(from) == api.HasExactly(to) {
		return spec, nil
	}
	request, device := requestToV1beta1, deviceToV1beta1
	if api.HasExactly(to) {
		request, device = requestToV1, deviceToV1
	}
	switch kind {
	case api.KindClaim:
		return edit(spec, []string{"devices", "requests", eachItem}, request)
	case api.KindTemplate:
		return edit(spec, []string{"spec", "devices", "requests", eachItem}, request)
	case kindSlice:
		withDevices, err := edit(spec, []string{"devices", eachItem}, device)
		if err != nil {
			return nil, err
		}
		return edit(withDevices, nil, withoutUnsetNodes)
	}
	return spec, nil
}
