package unstructured

// This file is an implementation of the status merge that is independent of package preserve: it merges JSON text by
// the Go type, member by member. TestOnePromise compares both.

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

// Shape is what a value of v1 can say, by its Go type: what two texts of it have in common, what
// its default is, and which items of two lists are the same one.
type Shape struct {
	nature nature
	// fields of an object by their names in JSON. What is no field is unknown here: it came with a later release.
	fields map[string]Field
	// item of a list or a table.
	item *Shape
	// keys are fields that say which item of a list it is; a list without them that changes is as it was written.
	keys []string
}

// Field of an object.
type Field struct {
	*Shape
	// pointer fields tell a zero from nothing.
	pointer bool
	// entry of a table: its name alone says something.
	entry bool
	// whole fields change as a whole.
	whole bool
}

// keysOf items of a status, by the name of their type, those of atomic lists too: a client writes
// all items, and which of them is the one that was there shows where what its version cannot say
// belongs to.
var keysOf = map[string][]string{
	"Condition":                      {"type"},
	"ResourceClaimConsumerReference": {"uid"},
	"AllocatedDeviceStatus":          {"driver", "pool", "device", "shareID"},
}

// ShapeOf a type, and of all that it holds.
func ShapeOf(t reflect.Type) *Shape {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return &Shape{nature: quantity}
	case reflect.TypeFor[metav1.Time]():
		return &Shape{nature: moment}
	case reflect.TypeFor[runtime.RawExtension]():
		return &Shape{nature: opaque}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return ShapeOf(t.Elem())
	case reflect.Slice:
		return &Shape{nature: list, item: ShapeOf(t.Elem()), keys: keysOf[t.Elem().Name()]}
	case reflect.Map:
		return &Shape{nature: table, item: ShapeOf(t.Elem())}
	case reflect.Struct:
		s := &Shape{nature: object, fields: map[string]Field{}}
		s.add(t)
		return s
	}
	return &Shape{nature: scalar}
}

func (s *Shape) add(t reflect.Type) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" { // inlined
			s.add(f.Type)
			continue
		}
		s.fields[name] = Field{Shape: ShapeOf(f.Type), pointer: f.Type.Kind() == reflect.Pointer}
	}
}

// Whole is the shape with a field that changes as a whole.
func (s *Shape) Whole(name string) *Shape {
	changed := *s
	changed.fields = maps.Clone(s.fields)
	f := s.fields[name]
	f.whole = true
	changed.fields[name] = f
	return &changed
}

// Same reports whether a value that is written, which is not absent, says the same to an API server
// as one that was shown, as far as its writer knows.
func Same(s *Shape, was, now []byte) bool {
	if bytes.Equal(was, now) {
		return true
	}
	switch s.nature {
	case object, table:
		x, y := objectjson.ListMembers(was), objectjson.ListMembers(now)
		for name := range union(x, y) {
			if !sameMember(s.member(name), x.Get(name), y.Get(name)) {
				return false
			}
		}
		return true
	case list:
		return sameItems(s.item, objectjson.Items(was), objectjson.Items(now))
	case quantity:
		var x, y resource.Quantity
		if decode(was, &x) && decode(now, &y) {
			return x.Cmp(y) == 0
		}
	case moment:
		var x, y metav1.Time
		if decode(was, &x) && decode(now, &y) {
			return x.Equal(&y)
		}
	}
	return SameText(was, now)
}

func sameItems(item *Shape, a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Same(item, a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameMember compares two members, which may be absent.
func sameMember(f Field, was, is []byte) bool {
	was, is = f.orEmpty(was), f.orEmpty(is)
	switch {
	case f.nature == object && !f.pointer:
	case f.unset(was) || f.unset(is):
		return f.unset(was) && f.unset(is)
	}
	return Same(f.Shape, was, is)
}

// unknown is a member that no field is for.
var unknown = Field{Shape: &Shape{nature: opaque}, pointer: true}

// member of an object or a table.
func (s *Shape) member(name string) Field {
	if s.nature == table {
		return Field{Shape: s.item, pointer: true, entry: true}
	}
	if f, ok := s.fields[name]; ok {
		return f
	}
	return unknown
}

// unset reports whether a member says nothing to an API server, which would not write it back.
func (f Field) unset(value []byte) bool {
	if f.entry {
		return value == nil
	}
	return objectjson.IsNull(value) || (!f.pointer || f.nature == list || f.nature == table) && f.isZero(value)
}

// orEmpty is the value of a member, of an object that is no pointer always one: there is no such
// object that is not there.
func (f Field) orEmpty(value []byte) []byte {
	if objectjson.IsNull(value) && f.nature == object && !f.pointer {
		return []byte("{}")
	}
	return value
}

// isKeyedList reports whether items of a list are merged one by one.
func (f Field) isKeyedList() bool { return f.nature == list && len(f.keys) > 0 && !f.whole }

// orEmptyList returns a list, and an empty one for an unset list: both have no items, but live may
// have items that are not visible.
func (f Field) orEmptyList(value []byte) []byte {
	if f.unset(value) {
		return []byte("[]")
	}
	return value
}

// isZero reports whether a value is the zero of its type, which is no object.
func (s *Shape) isZero(value []byte) bool {
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
func mergeItems(out []byte, s *Shape, live, was, is []byte) []byte {
	l, w, i := objectjson.Items(live), objectjson.Items(was), objectjson.Items(is)
	merged, ok := mergeByKeys(s, l, w, i)
	if !ok { // items cannot be identified
		return append(out, is...)
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

// mergeByKeys merges lists in which every item has a unique key. Hidden live items stay, each after the item that it
// followed.
func mergeByKeys(s *Shape, live, was, is [][]byte) (merged [][]byte, ok bool) {
	l, lOK := s.byKey(live)
	w, wOK := s.byKey(was)
	i, iOK := s.byKey(is)
	if !lOK || !wOK || !iOK {
		return nil, false
	}
	hidden := map[string][][]byte{} // by the key of the shown item before them
	before := ""
	for _, item := range live {
		key := s.key(item)
		if _, shown := w[key]; shown {
			before = key
		} else if _, written := i[key]; !written {
			hidden[before] = append(hidden[before], item)
		}
	}
	take := func(key string) {
		merged = append(merged, hidden[key]...)
		delete(hidden, key)
	}
	take("")
	for _, item := range is {
		key := s.key(item)
		merged = append(merged, mergeItem(s.item, l[key], w[key], item))
		take(key)
	}
	for _, item := range live { // whose previous item was removed
		if key := s.key(item); hidden[key] != nil {
			take(key)
		}
	}
	return merged, true
}

// mergeItem gives an item with what it has of a live one; that and what is shown of it may be absent.
func mergeItem(s *Shape, live, was, is []byte) []byte {
	switch {
	case live == nil || was == nil:
		return is
	case Same(s, was, is):
		return live
	}
	return Merge(nil, s, live, was, is)
}

// byKey are items by their keys; ok is false where there are none, or not one for each.
func (s *Shape) byKey(items [][]byte) (_ map[string][]byte, ok bool) {
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

// key of an item, "" for what is none.
func (s *Shape) key(item []byte) string {
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
		key = append(append(key, objectjson.CanonicalOrSame(value)...), ',') // a text in quotes ends with one
	}
	return string(key)
}

// A write is merged into the stored object as text. There are three objects of v1: the live one,
// what the version shows of it (was), and what was written (is), both as they come up again. Member
// by member, and item by item where items have keys:
//
//   - where was and is say the same, the live text stays, and also what is in neither of them, which
//     the version cannot say;
//   - else what was written counts.
//
// All is decided below each member by itself, so no part depends on the order of others.

// Merge appends the live value with what was changed. No value is absent or null, each was read as
// one of its type, and was and is are not the same.
func Merge(out []byte, s *Shape, live, was, is []byte) []byte {
	switch s.nature {
	case list:
		return mergeItems(out, s, live, was, is)
	case object:
		return mergeMembers(out, s, objectjson.ListMembers(live), objectjson.ListMembers(was), objectjson.ListMembers(is))
	}
	return append(out, is...)
}

// mergeMembers writes the live members in their order, and then those that are new.
func mergeMembers(out []byte, s *Shape, live, was, is objectjson.MemberList) []byte {
	out = append(out, '{')
	for name := range union(live, is) {
		f, l, w, i := s.member(name), live.Get(name), was.Get(name), is.Get(name)
		switch {
		case sameMember(f, w, i):
			if l != nil {
				out = append(objectjson.AppendName(out, name), l...)
			}
		case f.isKeyedList():
			merged := mergeItems(nil, f.Shape, f.orEmptyList(l), f.orEmptyList(w), f.orEmptyList(i))
			if !f.isZero(merged) {
				out = append(objectjson.AppendName(out, name), merged...)
			}
		case f.unset(i): // gone
		case f.whole || f.unset(l) || f.unset(w):
			out = append(objectjson.AppendName(out, name), i...)
		default:
			out = Merge(objectjson.AppendName(out, name), f.Shape, l, w, i)
		}
	}
	return append(out, '}')
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

// SameText reports whether two values are the same to every reader: order, white space and
// spelling do not count. An API server keeps the parameters of drivers as they were sent, with
// numbers of more digits than it could count with, so they are compared by all their digits.
func SameText(a, b []byte) bool {
	return bytes.Equal(objectjson.CanonicalWithDigits(withDigits(a)), objectjson.CanonicalWithDigits(withDigits(b)))
}

// withDigits is a value, which is JSON, whose numbers are written as their digits.
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

// digits of a number without zeros at its ends, and the power of ten.
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
