package lens

import (
	"maps"
	"reflect"
	"strings"

	v1 "k8s.io/api/resource/v1"
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

// shape is what a value of v1 can say, by its Go type: what two texts of it have in common, what its default is, and which items of
// two lists are the same one.
type shape struct {
	nature nature
	// fields of an object by their names in JSON. What is no field is unknown here: it came with a later release.
	fields map[string]fieldOf
	// item of a list or a table.
	item *shape
	// keys are fields that say which item of a list it is; without any, only what it says tells.
	keys []string
}

// fieldOf an object.
type fieldOf struct {
	*shape
	// pointer fields tell a zero from nothing.
	pointer bool
	// entry of a table: its name alone says something.
	entry bool
	// later fields came after this package. A client that leaves one out does not know it: it stays.
	later bool
	reach reach
}

// reach of a write.
type reach int

const (
	open   reach = iota // it says what there is, and what is not: what is left out is gone
	closed              // the stored object has it, whatever a write says
	kept                // what is left out stays: an API server takes it from the stored object
	whole               // as open, but it is changed as a whole
)

// keysOf items, by their type. Those of atomic lists are here too: a client writes all items, and which of them is the one that was
// there shows where fields that the client does not know belong to.
var keysOf = map[reflect.Type][]string{
	reflect.TypeFor[metav1.OwnerReference]():             {"uid"},
	reflect.TypeFor[metav1.Condition]():                  {"type"},
	reflect.TypeFor[v1.ResourceClaimConsumerReference](): {"uid"},
	reflect.TypeFor[v1.AllocatedDeviceStatus]():          {"driver", "pool", "device", "shareID"},
	reflect.TypeFor[v1.DeviceRequestAllocationResult]():  {"request", "driver", "pool", "device", "shareID"},
	reflect.TypeFor[v1.DeviceRequest]():                  {"name"},
	reflect.TypeFor[v1.DeviceSubRequest]():               {"name"},
	reflect.TypeFor[v1.Device]():                         {"name"},
	reflect.TypeFor[v1.DeviceTaint]():                    {"key", "effect"},
	reflect.TypeFor[v1.CounterSet]():                     {"name"},
	reflect.TypeFor[v1.DeviceCounterConsumption]():       {"counterSet"},
}

// shapeOf a type, and of all that it holds.
func shapeOf(t reflect.Type) *shape {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return &shape{nature: quantity}
	case reflect.TypeFor[metav1.Time]():
		return &shape{nature: moment}
	case reflect.TypeFor[runtime.RawExtension](), reflect.TypeFor[metav1.FieldsV1]():
		return &shape{nature: opaque}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.Slice:
		return &shape{nature: list, item: shapeOf(t.Elem()), keys: keysOf[t.Elem()]}
	case reflect.Map:
		return &shape{nature: table, item: shapeOf(t.Elem())}
	case reflect.Struct:
		s := &shape{nature: object, fields: map[string]fieldOf{}}
		s.add(t)
		return s
	}
	return &shape{nature: scalar}
}

func (s *shape) add(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" { // inlined
			s.add(f.Type)
			continue
		}
		s.fields[name] = fieldOf{shape: shapeOf(f.Type), pointer: f.Type.Kind() == reflect.Pointer}
	}
}

// reaching is the shape with another reach of the fields at some paths; "*" stands for all other fields of that object.
func (s *shape) reaching(reaches map[string]reach) *shape {
	changed := *s
	changed.fields = maps.Clone(s.fields)
	for name, f := range changed.fields {
		r, ok := reaches[name]
		if !ok {
			r = reaches["*"]
		}
		f.reach = r
		below := map[string]reach{}
		for path, r := range reaches {
			if rest, ok := strings.CutPrefix(path, name+"."); ok {
				below[rest] = r
			}
		}
		if len(below) > 0 {
			f.shape = f.reaching(below)
		}
		changed.fields[name] = f
	}
	return &changed
}
