package conversion

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Convert implements the function Convert of the public package conversion.
func Convert(in, out runtime.Object) error {
	from, kind, _ := api.TypeOf(in)
	to, outKind, _ := api.TypeOf(out)
	if kind == "" || kind != outKind {
		return &Error{Header: Header{Version: from, Kind: kind}, To: to, Err: typeError(in, out)}
	}
	gvk := in.GetObjectKind().GroupVersionKind()
	group := gvk.Group
	if gvk.Empty() {
		group = api.Group
	}
	typed := in.DeepCopyObject()
	typed.GetObjectKind().SetGroupVersionKind(schema.GroupVersion{Group: group, Version: from}.WithKind(kind))
	converted, _, err := ConvertJSON(objectjson.Marshal(typed), to, Options{})
	if err != nil {
		return err
	}
	if _, err := objectjson.Decode(converted, out); err != nil {
		return newError(Header{Group: group, Version: from, Kind: kind}, to, err)
	}
	return nil
}

// typeError says which types cannot be converted, with their import paths: those of k8s.io/api have the same names as
// claimbridge's.
func typeError(in, out runtime.Object) error {
	return fmt.Errorf("%w: cannot convert %s into %s: both must be a ResourceClaim, or both a ResourceClaimTemplate, "+
		"of the packages below github.com/claimbridge/claimbridge/api; convert other types as JSON, with "+
		"conversion.ConvertJSON",
		ErrKind, typeName(in), typeName(out))
}

// typeName returns the import path and the name of the type of an object.
func typeName(object runtime.Object) string {
	t := reflect.TypeOf(object)
	if t == nil || t.Kind() != reflect.Pointer {
		return fmt.Sprintf("%T", object)
	}
	return t.Elem().PkgPath() + "." + t.Elem().Name()
}
