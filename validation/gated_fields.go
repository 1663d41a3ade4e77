package validation

import (
	"reflect"
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

// has reports whether there is something at the end of a way: an empty list is nothing.
func has(v reflect.Value, at []int) bool {
	switch v.Kind() {
	case reflect.Slice:
		if len(at) == 0 {
			return v.Len() > 0
		}
		for i := range v.Len() {
			if has(v.Index(i), at) {
				return true
			}
		}
		return false
	case reflect.Pointer:
		if len(at) > 0 && !v.IsNil() {
			return has(v.Elem(), at)
		}
	case reflect.Struct:
		if len(at) > 0 {
			return has(v.Field(at[0]), at[1:])
		}
	}
	return len(at) == 0 && !v.IsZero()
}

// remove what is at the end of a way, in copies of what lists and pointers lead to.
func remove(v reflect.Value, at []int) {
	switch {
	case v.IsZero():
	case len(at) == 0:
		v.SetZero()
	case v.Kind() == reflect.Pointer:
		old := v.Elem()
		v.Set(reflect.New(old.Type()))
		v.Elem().Set(old)
		remove(v.Elem(), at)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
		for i := range v.Len() {
			remove(v.Index(i), at)
		}
	default:
		remove(v.Field(at[0]), at[1:])
	}
}

// used are the gated fields that a claim or a template with devices has.
func (o *object) used() (used gated) {
	if o.structured == nil {
		return 0
	}
	spec, status := reflect.ValueOf(o.structured).Elem(), reflect.ValueOf(v1.ResourceClaimStatus{Allocation: o.allocation, Devices: o.devices})
	for i := range gatedFields {
		f := &gatedFields[i]
		of := status
		if f.ofSpec {
			of = spec
		}
		if f.at != nil && has(of, f.at) {
			used |= f.bit
		}
	}
	return used
}

// dropFields takes fields away, in copies of what has some.
func (o *object) dropFields(fields gated) {
	if fields == 0 {
		return
	}
	if fields &= o.used(); fields == 0 {
		return
	}
	spec, status := *o.structured, v1.ResourceClaimStatus{Allocation: o.allocation, Devices: o.devices}
	specChanged := false
	for i := range gatedFields {
		switch f := &gatedFields[i]; {
		case fields&f.bit == 0:
		case f.ofSpec:
			specChanged = true
			remove(reflect.ValueOf(&spec).Elem(), f.at)
		default:
			remove(reflect.ValueOf(&status).Elem(), f.at)
		}
	}
	if specChanged {
		o.structured = &spec
	}
	o.allocation, o.devices = status.Allocation, status.Devices
}
