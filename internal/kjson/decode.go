package kjson

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"

	apijson "sigs.k8s.io/json"
)

// Decode reads JSON into a pointer as kube-apiserver does: keys are case-sensitive, integers stay
// integers, the last of duplicate fields counts, unknown fields are dropped. What the pointer held
// before is gone. It returns the paths of unknown and duplicate fields; an error is a *DecodeError
// that names the field. A value that is bigger than any that an API server stores is one, before it
// is built.
//
// What is not clean (a member is unknown or there twice, a string is not in UTF-8) is read once
// more, by the decoder that kube-apiserver has; so nobody need know what that does then.
func Decode(data []byte, into any) (unknown []string, err error) {
	if err := checkBounds(data, planOf(reflect.TypeOf(into).Elem())); err != nil {
		return nil, err
	}
	return Read(bytes.Clone(data), into)
}

// Read is Decode into a value that shares memory with the text, which must not change as long as
// the value is used.
func Read(data []byte, into any) (unknown []string, err error) {
	odd, err := reader{}.read(data, into)
	if err != nil || !odd {
		return nil, err
	}
	reflect.ValueOf(into).Elem().SetZero()
	strict, err := apijson.UnmarshalStrict(data, into)
	if err != nil {
		return nil, &DecodeError{Why: "is not JSON of this kind"}
	}
	for _, e := range strict {
		unknown = append(unknown, strictPath(e))
	}
	return unknown, nil
}

// read reports whether the text is not clean.
func (r reader) read(data []byte, into any) (odd bool, err error) {
	v := reflect.ValueOf(into).Elem()
	v.SetZero()
	p := planOf(v.Type())
	if err := checkBounds(data, p); err != nil {
		return false, err
	}
	r.Scanner = New(data)
	if err := r.value(p, v.Addr().UnsafePointer()); err != nil {
		return false, err
	}
	return r.odd, r.Err()
}

// ReadStrictly reads what is ours, and lets nothing pass that is not clean. The value shares memory with the text.
func ReadStrictly(data []byte, into any) bool {
	odd, err := reader{}.read(data, into)
	if odd || err != nil {
		reflect.ValueOf(into).Elem().SetZero() // not even what could be read
		return false
	}
	return true
}

// strictPath cuts the path out of an error like: unknown field "devices.requests[0].foo".
func strictPath(err error) string {
	text := err.Error()
	if i, j := strings.IndexByte(text, '"'), strings.LastIndexByte(text, '"'); 0 <= i && i < j {
		if path, err := strconv.Unquote(text[i : j+1]); err == nil {
			return path
		}
	}
	return text
}
