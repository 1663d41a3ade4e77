package kjson

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// nature of a type is how its values are read and written.
type nature int

const (
	other nature = iota // by methods of its own, or encoding/json
	text
	boolean
	integer
	structure
	pointer
	list
	table
	raw      // JSON as it is
	quantity // 10Gi
	moment   // a time
)

// plan for the values of a type, which is made once.
type plan struct {
	nature nature
	typ    reflect.Type
	size   uintptr
	listOf reflect.Type // of such values
	// item of a pointer, a list or a table.
	item *plan
	// fields of a structure in their order, and in that of their names.
	fields, sorted []*field
}

// field of a structure. Those of embedded structures are the structure's own.
type field struct {
	*plan
	name   string
	quoted string // with its colon
	offset uintptr
	number int
	// word of it that is 0 where it is empty and left out, from its place on, if there is such a one.
	word    uintptr
	hasWord bool
	// omitEmpty and omitZero leave a member out; what is zero a type may say by itself.
	omitEmpty, omitZero, saysZero bool
	// limited lists have at most MaxList items.
	limited bool
}

var plans sync.Map // *plan by reflect.Type

func planOf(t reflect.Type) *plan {
	if known, ok := plans.Load(t); ok {
		return known.(*plan)
	}
	made := map[reflect.Type]*plan{}
	p := makePlan(t, made)
	for t, p := range made { // whole by now
		plans.Store(t, p)
	}
	return p
}

func makePlan(t reflect.Type, made map[reflect.Type]*plan) *plan {
	if p := made[t]; p != nil {
		return p
	}
	p := &plan{typ: t, nature: natureOf(t), size: t.Size(), listOf: reflect.SliceOf(t)}
	made[t] = p
	switch p.nature {
	case pointer, list, table:
		p.item = makePlan(t.Elem(), made)
	case structure:
		p.add(t, 0, made)
		p.sorted = slices.SortedFunc(slices.Values(p.fields), func(a, b *field) int {
			return strings.Compare(a.name, b.name)
		})
	}
	return p
}

// add the fields of a structure, which may be embedded.
func (p *plan) add(t reflect.Type, at uintptr, made map[reflect.Type]*plan) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		offset := at + f.Offset
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			p.add(f.Type, offset, made)
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		added := &field{
			plan: makePlan(f.Type, made), name: name, quoted: string(Quote(name)) + ":", offset: offset,
			number: len(p.fields),
		}
		for option := range strings.SplitSeq(options, ",") {
			added.omitEmpty = added.omitEmpty || option == "omitempty"
			added.omitZero = added.omitZero || option == "omitzero"
		}
		added.saysZero = reflect.PointerTo(f.Type).Implements(reflect.TypeFor[zeroSayer]())
		// Upstream's type would write null, which its schema does not allow.
		added.omitEmpty = added.omitEmpty && f.Type.Kind() != reflect.Struct || name == "nodeSelectorTerms"
		added.limited = added.nature == list && hasLimit(t.PkgPath(), f.Type.Elem().String())
		added.hasWord = added.omitEmpty && slices.Contains([]nature{text, list, pointer}, added.nature)
		if added.nature != pointer {
			added.word = unsafe.Sizeof(uintptr(0)) // the length, behind what it is of
		}
		p.fields = append(p.fields, added)
	}
}

var unmarshaler, marshaler = reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[json.Marshaler]()

func natureOf(t reflect.Type) nature {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return quantity
	case reflect.TypeFor[metav1.Time]():
		return moment
	case reflect.TypeFor[runtime.RawExtension](): // what a decoder made of it is not its own to write
		return raw
	}
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		return pointer
	case t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler) || t.Implements(marshaler):
		return other
	case kind == reflect.String:
		return text
	case kind == reflect.Bool:
		return boolean
	case kind == reflect.Int, kind == reflect.Int32, kind == reflect.Int64:
		return integer
	case kind == reflect.Struct:
		return structure
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return list
	case kind == reflect.Map && t.Key().Kind() == reflect.String:
		return table
	}
	return other
}

type zeroSayer interface{ IsZero() bool }

// named is the field of a name, or nil. Members mostly come in the order of the fields or of their
// names, so it is looked for from one on.
func (p *plan) named(name string, from int) *field {
	for range p.fields {
		if f := p.fields[from]; f.name == name {
			return f
		}
		if from++; from == len(p.fields) {
			from = 0
		}
	}
	return nil
}

// in is where the field of a structure is.
func (f *field) in(v unsafe.Pointer) unsafe.Pointer { return unsafe.Add(v, f.offset) }

// isThere reports whether a field is written, which is at its place.
func (f *field) isThere(v unsafe.Pointer) bool {
	switch {
	case f.hasWord:
		return *(*uintptr)(unsafe.Add(v, f.word)) != 0
	case !f.omitEmpty && !f.omitZero:
		return true
	}
	value := f.at(v)
	switch kind := f.typ.Kind(); {
	case f.omitEmpty && (kind == reflect.Slice || kind == reflect.Map):
		return value.Len() > 0
	case f.omitZero && f.saysZero:
		return !value.Addr().Interface().(zeroSayer).IsZero()
	}
	return !value.IsZero()
}
