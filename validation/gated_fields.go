package validation

import (
	"reflect"
	"slices"
	"strings"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// fieldAt is the way to a field by the names that JSON has for it, through lists, pointers and the exactly that paths leave out: the
// index of a field in each struct. It is nil when there is none.
func fieldAt(of reflect.Type, names []string) (at []int) {
	for len(names) > 0 {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		i, found := fieldNamed(of, names[0])
		if found {
			names = names[1:]
		} else if i, found = fieldNamed(of, "exactly"); !found {
			return nil
		}
		at, of = append(at, i), of.Field(i).Type
	}
	return at
}

func fieldNamed(of reflect.Type, name string) (i int, found bool) {
	for i := range of.NumField() {
		if tag, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); tag == name {
			return i, true
		}
	}
	return 0, false
}

// visit what is at the end of a way, where there is something: an empty list is nothing.
func visit(v reflect.Value, at []int, end func(reflect.Value)) {
	switch {
	case len(at) == 0:
		if !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0) {
			end(v)
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), at, end)
		}
	case v.Kind() == reflect.Struct:
		visit(v.Field(at[0]), at[1:], end)
	case !v.IsNil():
		visit(v.Elem(), at, end)
	}
}

// visit what a spec or a status has of the field.
func (f *gatedField) visit(spec *v1.ResourceClaimSpec, status *v1.ResourceClaimStatus, end func(reflect.Value)) {
	switch {
	case f.at == nil:
	case f.ofSpec:
		visit(reflect.ValueOf(spec).Elem(), f.at, end)
	default:
		visit(reflect.ValueOf(status).Elem(), f.at, end)
	}
}

// used are the gated fields that a claim or a template with devices has.
func (o *object) used() gated {
	if o.structured == nil {
		return 0
	}
	status := &v1.ResourceClaimStatus{Allocation: o.allocation, Devices: o.devices}
	return fieldsThat(func(f *gatedField) (is bool) {
		f.visit(o.structured, status, func(reflect.Value) { is = true })
		return is
	})
}

// dropFields takes fields away, in copies of the parts that have some.
func (o *object) dropFields(fields gated) {
	if fields == 0 {
		return
	}
	fields &= o.used()
	for i := range gatedFields {
		f := &gatedFields[i]
		switch {
		case fields&f.bit == 0:
			continue
		case f.ofSpec:
			o.structured = o.structured.DeepCopy()
		case strings.HasPrefix(f.Path, "status.allocation."):
			o.allocation = o.allocation.DeepCopy()
		default:
			o.devices = slices.Clone(o.devices)
		}
		status := &v1.ResourceClaimStatus{Allocation: o.allocation, Devices: o.devices}
		f.visit(o.structured, status, reflect.Value.SetZero)
		o.devices = status.Devices
	}
}
