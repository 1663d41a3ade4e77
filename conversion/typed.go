package conversion

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Convert converts a typed object into another one of the same kind: pointers to ResourceClaim or
// ResourceClaimTemplate of any package of api. The input is not changed and shares nothing with the output;
// what the output held before is gone. The group is the input's, or that of the input's type when its TypeMeta is
// empty. An error is an *Error; ErrKind when the two are not of one kind, or are types of another package. Types of
// k8s.io/api are such types, although their names are the same: convert those as JSON, with [JSON].
//
// Leftovers travel as they do through the server, including status.claimbridgeLeftover.
func Convert(in, out runtime.Object) error {
	from, kind, _ := api.TypeOf(in)
	to, outKind, _ := api.TypeOf(out)
	if kind == "" || kind != outKind {
		return &Error{Header: Header{Version: from, Kind: kind}, To: to, Err: typeError(in, out)}
	}
	// The typed way and the raw one are the same way: what is measured and proved of one holds for the other.
	gvk := in.GetObjectKind().GroupVersionKind()
	group := gvk.Group
	if gvk.Empty() {
		group = api.Group
	}
	typed := in.DeepCopyObject()
	typed.GetObjectKind().SetGroupVersionKind(schema.GroupVersion{Group: group, Version: from}.WithKind(kind))
	converted, _, err := JSON(kjson.Marshal(typed), to, Options{})
	if err != nil {
		return err
	}
	_, err = kjson.Read(converted, out)
	return err
}

// typeError says which types cannot be converted, with their import paths: those of k8s.io/api have the same names as
// claimbridge's.
func typeError(in, out runtime.Object) error {
	return fmt.Errorf("%w: cannot convert %s into %s: both must be a ResourceClaim, or both a ResourceClaimTemplate, "+
		"of the packages below github.com/claimbridge/claimbridge/api; convert other types as JSON, with "+
		"conversion.JSON",
		ErrKind, typeName(in), typeName(out))
}

// typeName returns the name of the type of an object behind its import path.
func typeName(object runtime.Object) string {
	t := reflect.TypeOf(object)
	if t == nil || t.Kind() != reflect.Pointer {
		return fmt.Sprintf("%T", object)
	}
	return t.Elem().PkgPath() + "." + t.Elem().Name()
}
