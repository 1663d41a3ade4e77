package objectjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// A value takes more memory than its text: an empty item of three bytes can be a struct of a hundred bytes. These
// limits are for what is built of one value. No object that an API server of any release can store reaches them:
//
//   - MaxList is the limit for the items of a list that the API itself limits, to 256 items at most (status.reservedFor
//     since 1.32) and mostly to 32 or less. It is four times that, or sixteen times the 64 of
//     status.allocation.devices.config: preserved data may repeat items, and some limits were larger once.
//   - MaxBuilt is the limit in bytes for all lists and maps of a value. The largest are those of node selectors, which
//     only the size of the object limits: etcd stores 1.5 MiB. A term with a requirement, a unique key and an
//     operator takes 17 bytes of text and 104 of memory: 9.2 MiB. Labels take 8 and 48: 9 MiB; values 5 and 16:
//     4.8 MiB. Only duplicate values, and empty terms, which match no node, have shorter texts.
//   - MaxMembers is the limit for the members of an object whose fields are known: ObjectMeta has 15. API servers prune
//     unknown fields before they convert.
//   - maxPairs is the limit for labels and annotations: 1.5 MiB hold 196,608 pairs like "abc":"", of eight bytes in
//     storage.
const (
	MaxList    = 4 * longestList
	MaxBuilt   = 12 << 20
	MaxMembers = 1024
	maxPairs   = 1 << 18
)

// longestList is the number of items of the longest list that a release stores.
const longestList = 256

// pairSize is the number of bytes that a pair of a map takes in addition to its value: the key, and as much for free
// slots.
const pairSize = 32

var (
	errListTooLong = &FieldError{
		Reason: fmt.Sprintf("has more than %d items, and no release stores more than %d items in a list of a claim",
			MaxList, longestList),
	}
	errTooLarge = &FieldError{
		Reason: fmt.Sprintf("has so many items that decoding it needs more than %d MiB", MaxBuilt>>20),
	}
)

// checkLimits scans a text before a value of the type is built from it. It does not report text that does not fit the
// type; decoding does.
func checkLimits(text []byte, t reflect.Type) error {
	if len(text) < 3*MaxList || bytes.Count(text, []byte{','}) < MaxList { // three bytes an item, and a comma
		return nil
	}
	l := limits{Scanner: NewScanner(text), fields: map[reflect.Type]map[string]reflect.StructField{}}
	return l.value(t, false)
}

// limits scans a value and checks its limits.
type limits struct {
	Scanner
	built  uintptr
	fields map[reflect.Type]map[string]reflect.StructField
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func (l *limits) value(t reflect.Type, isLimited bool) error {
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		return l.value(t.Elem(), isLimited)
	case reflect.PointerTo(t).Implements(unmarshaler):
		l.Skip()
	case kind == reflect.Struct && l.Is('{'):
		return l.structure(t)
	case kind == reflect.Map && l.Is('{'):
		for range l.Members() {
			if err := l.item(t, pairSize); err != nil {
				return err
			}
		}
	case kind == reflect.Slice && l.Is('['):
		for n := range l.Elements() {
			if n == MaxList && isLimited {
				return errListTooLong
			}
			if err := l.item(t, 0); err != nil {
				return AtPath(fmt.Sprintf("[%d]", n), err)
			}
		}
	default:
		l.Skip()
	}
	return nil
}

func (l *limits) structure(t reflect.Type) error {
	fields := l.fields[t]
	if fields == nil {
		fields = fieldsOf(t)
		l.fields[t] = fields
	}
	for name := range l.Members() {
		field, ok := fields[name]
		if !ok {
			l.Skip()
		} else if err := l.value(field.Type, isLimited(t, field)); err != nil {
			return AtPath(strings.Clone(name), err)
		}
	}
	return nil
}

// item checks an item of a slice or a map, which takes some bytes in addition to its value.
func (l *limits) item(list reflect.Type, additional uintptr) error {
	l.built += list.Elem().Size() + additional
	if l.built > MaxBuilt {
		return errTooLarge
	}
	return l.value(list.Elem(), false)
}

// isLimited reports whether a list has at most [MaxList] items: one of claimbridge's types does, unless its tag says
// limit:"none". The types of Kubernetes have no such limits.
func isLimited(owner reflect.Type, field reflect.StructField) bool {
	return !strings.HasPrefix(owner.PkgPath(), "k8s.io/") && field.Tag.Get("limit") != "none"
}

// fieldsOf returns the fields of a structure and its embedded structures, by their names in JSON.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "-" && (name != "" || !f.Anonymous) {
			fields[cmp.Or(name, f.Name)] = f
		}
	}
	return fields
}
