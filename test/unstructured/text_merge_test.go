package unstructured

// This file is an implementation of the status merge that is independent of package preserve: it merges JSON text by
// the Go type, member by member. TestWritesThroughOldVersionsLoseNothing compares both.

import (
	"bytes"
	"iter"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// nature is the kind of a JSON value for an API server.
type nature int

const (
	scalar   nature = iota // a text, a number, true or false
	quantity               // 1Gi is 1024Mi
	moment                 // a time
	opaque                 // any JSON in the format of a driver
	object                 // members with different types
	table                  // members with arbitrary names
	list
)

// valueShape describes a value of v1 by its Go type: when two texts are equal, what its default is, and which items of
// two lists are the same.
type valueShape struct {
	nature nature
	// fields of an object by their names in JSON. Fields of later releases are unknown.
	fields map[string]objectField
	// item of a list or a table.
	item *valueShape
	// keys are the fields that identify an item of a list. A list without keys is replaced if it changes.
	keys []string
}

// objectField is a field of an object.
type objectField struct {
	*valueShape
	// pointer fields distinguish a zero value from an absent one.
	pointer bool
	// entry of a table, whose name has a meaning.
	entry bool
	// whole fields change as a whole.
	whole bool
}

// keysOf has the keys of items of a status, by the name of their type, also for atomic lists: a client writes all
// items, and the keys show which stored item has the data that is not visible in its version.
var keysOf = map[string][]string{
	"Condition":                      {"type"},
	"ResourceClaimConsumerReference": {"uid"},
	"AllocatedDeviceStatus":          {"driver", "pool", "device", "shareID"},
}

// valueShapeOf returns the shape of a type.
func valueShapeOf(t reflect.Type) *valueShape {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return &valueShape{nature: quantity}
	case reflect.TypeFor[metav1.Time]():
		return &valueShape{nature: moment}
	case reflect.TypeFor[runtime.RawExtension]():
		return &valueShape{nature: opaque}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return valueShapeOf(t.Elem())
	case reflect.Slice:
		return &valueShape{nature: list, item: valueShapeOf(t.Elem()), keys: keysOf[t.Elem().Name()]}
	case reflect.Map:
		return &valueShape{nature: table, item: valueShapeOf(t.Elem())}
	case reflect.Struct:
		s := &valueShape{nature: object, fields: map[string]objectField{}}
		s.add(t)
		return s
	}
	return &valueShape{nature: scalar}
}

func (s *valueShape) add(t reflect.Type) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" { // inlined
			s.add(f.Type)
			continue
		}
		s.fields[name] = objectField{valueShape: valueShapeOf(f.Type), pointer: f.Type.Kind() == reflect.Pointer}
	}
}

// withWholeField returns the shape with a field that changes as a whole.
func (s *valueShape) withWholeField(name string) *valueShape {
	changed := *s
	changed.fields = maps.Clone(s.fields)
	f := s.fields[name]
	f.whole = true
	changed.fields[name] = f
	return &changed
}

// isSame reports whether a written value, which is not absent, has the same meaning for an API server as the projected
// one.
func isSame(s *valueShape, projected, now []byte) bool {
	if bytes.Equal(projected, now) {
		return true
	}
	switch s.nature {
	case object, table:
		x, y := objectjson.ListMembers(projected), objectjson.ListMembers(now)
		for name := range union(x, y) {
			if !sameMember(s.member(name), x.Get(name), y.Get(name)) {
				return false
			}
		}
		return true
	case list:
		return sameItems(s.item, objectjson.Items(projected), objectjson.Items(now))
	case quantity:
		var x, y resource.Quantity
		if decode(projected, &x) && decode(now, &y) {
			return x.Cmp(y) == 0
		}
	case moment:
		var x, y metav1.Time
		if decode(projected, &x) && decode(now, &y) {
			return x.Equal(&y)
		}
	}
	return isSameText(projected, now)
}

func sameItems(item *valueShape, a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !isSame(item, a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameMember compares two members, which may be absent.
func sameMember(f objectField, projected, written []byte) bool {
	projected, written = f.orEmpty(projected), f.orEmpty(written)
	switch {
	case f.nature == object && !f.pointer:
	case f.unset(projected) || f.unset(written):
		return f.unset(projected) && f.unset(written)
	}
	return isSame(f.valueShape, projected, written)
}

// unknown is a member without a field.
var unknown = objectField{valueShape: &valueShape{nature: opaque}, pointer: true}

// member of an object or a table.
func (s *valueShape) member(name string) objectField {
	if s.nature == table {
		return objectField{valueShape: s.item, pointer: true, entry: true}
	}
	if f, ok := s.fields[name]; ok {
		return f
	}
	return unknown
}

// unset reports whether an API server treats a member like an absent one.
func (f objectField) unset(value []byte) bool {
	if f.entry {
		return value == nil
	}
	return objectjson.IsAbsentOrNull(value) || (!f.pointer || f.nature == list || f.nature == table) && f.isZero(value)
}

// orEmpty returns the value of a member, and an empty object for an absent one that is not a pointer.
func (f objectField) orEmpty(value []byte) []byte {
	if objectjson.IsAbsentOrNull(value) && f.nature == object && !f.pointer {
		return []byte("{}")
	}
	return value
}

// isKeyedList reports whether items of a list are merged one by one.
func (f objectField) isKeyedList() bool { return f.nature == list && len(f.keys) > 0 && !f.whole }

// orEmptyList returns a list, and an empty one for an unset list: both have no items, but the stored list may
// have items that are not visible.
func (f objectField) orEmptyList(value []byte) []byte {
	if f.unset(value) {
		return []byte("[]")
	}
	return value
}

// isZero reports whether a value is the zero value of its type, which is not an object.
func (s *valueShape) isZero(value []byte) bool {
	switch s.nature {
	case table:
		return objectjson.StartsWith(value, '{') && len(objectjson.ListMembers(value).Items) == 0
	case list:
		return objectjson.StartsWith(value, '[') && len(objectjson.Items(value)) == 0
	case scalar:
		switch string(value) {
		case `""`, "false", "0", "-0":
			return true
		}
	}
	return false
}

func decode(value []byte, into any) bool {
	_, err := objectjson.Decode(value, into)
	return err == nil
}

// mergeItems writes the items of a list in the order in which they were written.
func mergeItems(out []byte, s *valueShape, stored, projected, written []byte) []byte {
	merged, ok := mergeByKeys(s, objectjson.Items(stored), objectjson.Items(projected), objectjson.Items(written))
	if !ok { // items cannot be identified
		return append(out, written...)
	}
	out = append(out, '[')
	for n, item := range merged {
		if n > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}

// mergeByKeys merges lists in which every item has a unique key. Stored items that are not projected are kept, each
// after the item that it followed.
func mergeByKeys(s *valueShape, stored, projected, written [][]byte) (merged [][]byte, ok bool) {
	storedByKey, isStoredKeyed := s.byKey(stored)
	projectedByKey, isProjectedKeyed := s.byKey(projected)
	writtenByKey, isWrittenKeyed := s.byKey(written)
	if !isStoredKeyed || !isProjectedKeyed || !isWrittenKeyed {
		return nil, false
	}
	hidden := map[string][][]byte{} // by the key of the projected item before them
	before := ""
	for _, item := range stored {
		key := s.key(item)
		if _, isProjected := projectedByKey[key]; isProjected {
			before = key
		} else if _, isWritten := writtenByKey[key]; !isWritten {
			hidden[before] = append(hidden[before], item)
		}
	}
	take := func(key string) {
		merged = append(merged, hidden[key]...)
		delete(hidden, key)
	}
	take("")
	for _, item := range written {
		key := s.key(item)
		merged = append(merged, mergeItem(s.item, storedByKey[key], projectedByKey[key], item))
		take(key)
	}
	for _, item := range stored { // whose previous item was removed
		if key := s.key(item); hidden[key] != nil {
			take(key)
		}
	}
	return merged, true
}

// mergeItem returns a written item with the data of the stored one. The stored and the projected item may be absent.
func mergeItem(s *valueShape, stored, projected, written []byte) []byte {
	switch {
	case stored == nil || projected == nil:
		return written
	case isSame(s, projected, written):
		return stored
	}
	return mergeText(nil, s, stored, projected, written)
}

// byKey returns the items by their keys. It returns false without keys, and for duplicate or absent ones.
func (s *valueShape) byKey(items [][]byte) (_ map[string][]byte, ok bool) {
	if len(s.keys) == 0 {
		return nil, false
	}
	by := make(map[string][]byte, len(items))
	for _, item := range items {
		key := s.key(item)
		if _, twice := by[key]; twice || key == "" {
			return nil, false
		}
		by[key] = item
	}
	return by, true
}

// key returns the key of an item, or "" for a value that is not an object.
func (s *valueShape) key(item []byte) string {
	if !objectjson.StartsWith(item, '{') {
		return ""
	}
	m := objectjson.ListMembers(item)
	key := make([]byte, 0, 64)
	for _, name := range s.keys {
		value := m.Get(name)
		if s.item.member(name).unset(value) {
			value = nil
		}
		key = append(append(key, objectjson.CanonicalOrSame(value)...), ',') // a comma in a string is within quotes
	}
	return string(key)
}

// A write is merged into the stored object as text. There are three objects of v1: the stored one, its projection in
// the version, and the written one, both converted to v1. For each member, and each item if items have keys:
//
//   - If the projected and the written value are the same, the stored text is kept, with data that neither of them has.
//   - Otherwise, the written value is used.
//
// Each member is merged separately, so the order of members does not matter.

// mergeText appends the stored value with the changes. No value is absent or null, each was decoded as one of its type,
// and the projected and the written value differ.
func mergeText(out []byte, s *valueShape, stored, projected, written []byte) []byte {
	switch s.nature {
	case list:
		return mergeItems(out, s, stored, projected, written)
	case object:
		return mergeMembers(out, s, objectjson.ListMembers(stored), objectjson.ListMembers(projected),
			objectjson.ListMembers(written))
	}
	return append(out, written...)
}

// mergeMembers writes the stored members in their order, and then new ones.
func mergeMembers(out []byte, s *valueShape, stored, projected, written objectjson.MemberList) []byte {
	out = append(out, '{')
	for name := range union(stored, written) {
		merged := mergeMember(s.member(name), stored.Get(name), projected.Get(name), written.Get(name))
		if merged != nil {
			out = append(objectjson.AppendName(out, name), merged...)
		}
	}
	return append(out, '}')
}

// mergeMember returns the merged value of a member, or nil if it is absent.
func mergeMember(f objectField, stored, projected, written []byte) []byte {
	switch {
	case sameMember(f, projected, written):
		return stored
	case f.isKeyedList():
		merged := mergeItems(nil, f.valueShape, f.orEmptyList(stored), f.orEmptyList(projected), f.orEmptyList(written))
		if f.isZero(merged) {
			return nil
		}
		return merged
	case f.unset(written): // it was removed
		return nil
	case f.whole || f.unset(stored) || f.unset(projected):
		return written
	}
	return mergeText(nil, f.valueShape, stored, projected, written)
}

// union of the names of two objects, those of the first one first.
func union(a, b objectjson.MemberList) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range a.Items {
			if !yield(m.Name) {
				return
			}
		}
		for _, m := range b.Items {
			if a.Get(m.Name) == nil && !yield(m.Name) {
				return
			}
		}
	}
}

// isSameText reports whether two texts have the same value: order, white space and spelling are ignored. An API server
// keeps the parameters of drivers unchanged, even numbers that no type can hold, so all digits are compared.
func isSameText(a, b []byte) bool {
	return bytes.Equal(objectjson.CanonicalWithDigits(withDigits(a)), objectjson.CanonicalWithDigits(withDigits(b)))
}

// withDigits returns a JSON value in which numbers are written as their digits.
func withDigits(value []byte) []byte {
	out := make([]byte, 0, len(value)+len(value)/4)
	for begin, end := range objectjson.Tokens(value) {
		token := value[begin:end]
		if c := token[0]; c == '-' || '0' <= c && c <= '9' {
			out = append(out, digits(string(token))...)
		} else {
			out = append(out, token...)
		}
	}
	return out
}

// digits returns the digits of a number without zeros at its ends, and the power of ten.
func digits(number string) string {
	whole, power, _ := strings.Cut(strings.ToLower(number), "e")
	exponent := int64(0)
	if power != "" {
		var err error
		if exponent, err = strconv.ParseInt(power, 10, 32); err != nil {
			return number
		}
	}
	sign := ""
	if whole[0] == '-' {
		sign, whole = "-", whole[1:]
	}
	before, behind, _ := strings.Cut(whole, ".")
	all := strings.TrimLeft(before+behind, "0")
	exponent -= int64(len(behind))
	short := strings.TrimRight(all, "0")
	if short == "" {
		return "0"
	}
	return sign + short + "e" + strconv.FormatInt(exponent+int64(len(all)-len(short)), 10)
}
