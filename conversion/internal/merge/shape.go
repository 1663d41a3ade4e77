package merge

import (
	"maps"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// nature is what a value of JSON is to an API server.
type nature int

const (
	scalar   nature = iota // a text, a number, true or false
	quantity               // 1Gi is 1024Mi
	moment                 // a time
	opaque                 // any JSON, which only others understand
	object                 // members with types of their own
	table                  // members with names that nobody knows
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
