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

// Fill sets every leaf to a value that is not zero, and lists to two elements. Strings are distinct DNS labels.
func Fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("s%d", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8: // of JSON
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
		panic("objects: a field of kind " + v.Kind().String() + " that no test fills")
	}
}

// EachLeaf gives the path of every leaf of a type by the names of JSON, lists without indices, and
// a value of the type that has that leaf, what it is in, and nothing else.
func EachLeaf(t reflect.Type) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		eachLeaf(t, "", func(v reflect.Value) reflect.Value { return v }, yield)
	}
}

// eachLeaf of a type whose values are put into one of the outermost type by what is given. It reports whether to go on.
func eachLeaf(t reflect.Type, path string, into func(reflect.Value) reflect.Value,
	yield func(string, reflect.Value) bool,
) bool {
	switch {
	case t.Kind() == reflect.Pointer:
		return eachLeaf(t.Elem(), path, func(v reflect.Value) reflect.Value { return into(v.Addr()) }, yield)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return eachLeaf(t.Elem(), path, func(v reflect.Value) reflect.Value {
			return into(reflect.Append(reflect.Zero(t), v))
		}, yield)
	case t.Kind() == reflect.Struct && !isValue(t):
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			inner := strings.TrimPrefix(path+"."+name, ".")
			if name == "" { // it is inlined
				inner = path
			}
			if !eachLeaf(t.Field(i).Type, inner, func(v reflect.Value) reflect.Value {
				outer := reflect.New(t).Elem()
				outer.Field(i).Set(v)
				return into(outer)
			}, yield) {
				return false
			}
		}
		return true
	}
	leaf, n := reflect.New(t).Elem(), 0
	Fill(leaf, &n)
	return yield(path, into(leaf))
}

// isValue of one leaf, although it is a struct.
func isValue(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[runtime.RawExtension](), reflect.TypeFor[resource.Quantity](), reflect.TypeFor[metav1.Time]():
		return true
	}
	return false
}
