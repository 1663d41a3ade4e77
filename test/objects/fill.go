package objects

import (
	"fmt"
	"iter"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Fill sets every leaf to a value that is not zero, and every list to two elements. It increments n for each value, so
// that strings are distinct. Strings are DNS labels.
func Fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("s%d", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8: // a byte of raw JSON
		v.SetUint('1')
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		Fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		Fill(v.Index(0), n)
		Fill(v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			Fill(key, n)
			Fill(value, n)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		switch leaf := v.Addr().Interface().(type) {
		case *runtime.RawExtension:
			leaf.Raw = fmt.Appendf(nil, `{"n":%d}`, *n)
		case *resource.Quantity:
			*leaf = *resource.NewQuantity(int64(*n), resource.DecimalSI)
		case *metav1.Time:
			*leaf = metav1.Unix(int64(*n), 0)
		default:
			for i := range v.NumField() {
				Fill(v.Field(i), n)
			}
		}
	default:
		panic("objects: Fill does not support fields of kind " + v.Kind().String())
	}
}

// EachLeaf yields the JSON path of every leaf of a type, without list indices, and a value of the type in which only
// that leaf is set.
func EachLeaf(t reflect.Type) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		eachLeaf(t, "", func(v reflect.Value) reflect.Value { return v }, yield)
	}
}

// eachLeaf yields the leaves of an inner type. The function wrap returns a value of the outermost type that contains a
// value of the inner type. eachLeaf reports whether the caller wants more leaves.
func eachLeaf(t reflect.Type, path string, wrap func(reflect.Value) reflect.Value,
	yield func(string, reflect.Value) bool,
) bool {
	switch {
	case t.Kind() == reflect.Pointer:
		return eachLeaf(t.Elem(), path, func(v reflect.Value) reflect.Value { return wrap(v.Addr()) }, yield)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return eachLeaf(t.Elem(), path, func(v reflect.Value) reflect.Value {
			return wrap(reflect.Append(reflect.Zero(t), v))
		}, yield)
	case t.Kind() == reflect.Struct && !isLeafStruct(t):
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			inner := strings.TrimPrefix(path+"."+name, ".")
			if name == "" { // an inlined struct
				inner = path
			}
			wrapField := func(v reflect.Value) reflect.Value {
				outer := reflect.New(t).Elem()
				outer.Field(i).Set(v)
				return wrap(outer)
			}
			if !eachLeaf(t.Field(i).Type, inner, wrapField, yield) {
				return false
			}
		}
		return true
	}
	leaf := reflect.New(t).Elem()
	n := 0
	Fill(leaf, &n)
	return yield(path, wrap(leaf))
}

// isLeafStruct reports whether a struct type counts as one leaf.
func isLeafStruct(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[runtime.RawExtension](), reflect.TypeFor[resource.Quantity](), reflect.TypeFor[metav1.Time]():
		return true
	}
	return false
}
