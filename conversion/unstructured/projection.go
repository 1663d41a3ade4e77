package unstructured

import (
	"errors"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// project converts a claim or template of the stored version to an alpha version, without the fields that this version
// cannot represent.
func project(object []objectjson.Member, kind, from, to string) ([]byte, error) {
	isAbsent := map[string]bool{}
	typed := []objectjson.Member{
		{Name: "apiVersion", Value: objectjson.Quote(api.Group + "/" + from)},
		{Name: "kind", Value: objectjson.Quote(kind)},
	}
	for _, m := range typed {
		isAbsent[m.Name] = objectjson.StringOf(objectjson.Get(object, m.Name)) == ""
	}
	for _, m := range object {
		if m.Name != "apiVersion" && m.Name != "kind" {
			typed = append(typed, m)
		}
	}
	converted, _, err := conversion.JSON(encode(typed), to, conversion.Options{VisibleOnly: true})
	if err != nil {
		return nil, withoutObject(err)
	}
	members, err := parse(converted)
	if err != nil {
		return nil, err
	}
	return encode(slices.DeleteFunc(members, func(m objectjson.Member) bool { return isAbsent[m.Name] })), nil
}

// withoutObject returns an error of a conversion without the object and the versions, which the caller knows.
func withoutObject(err error) error {
	if e, is := errors.AsType[*conversion.Error](err); is {
		return &conversion.DecodeError{Field: e.Field, Why: e.Err.Error()}
	}
	return err
}
