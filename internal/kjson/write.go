package kjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Append writes a value, or what a pointer points at: members in the order of their fields, no
// white space, as few escapes as can be, raw values as they are but for white space. A value of the
// types of Kubernetes can always be written.
func Append(out []byte, from any) []byte { return (&writer{out: out}).write(from) }

// Marshal is Append to nothing.
func Marshal(from any) []byte {
	b := NewBuffer()
	defer b.Free()
	b.Text = Append(b.Text, from)
	return bytes.Clone(b.Text)
}

// AppendCanonical writes the canonical form of what Append writes.
func AppendCanonical(out []byte, from any) []byte {
	return (&writer{out: out, order: CanonicalForm}).write(from)
}

// AppendOrdered is to AppendCanonical what [Ordered] is to [Canonical].
func AppendOrdered(out []byte, from any) []byte {
	return (&writer{out: out, order: orderedForm}).write(from)
}

type writer struct {
	out []byte
	// order of members where it is not that of fields, and form of raw values.
	order func(value []byte) []byte
}

func (w *writer) write(from any) []byte {
	v := reflect.ValueOf(from)
	switch {
	case from == nil:
		return append(w.out, null...)
	case v.Kind() != reflect.Pointer || v.IsNil(): // it has no address
		copied := reflect.New(v.Type())
		copied.Elem().Set(v)
		v = copied
	}
	w.value(planOf(v.Type().Elem()), v.UnsafePointer())
	return w.out
}

func (w *writer) value(p *plan, v unsafe.Pointer) {
	switch p.nature {
	case text:
		w.out = AppendQuoted(w.out, *(*string)(v))
	case boolean:
		w.out = strconv.AppendBool(w.out, *(*bool)(v))
	case integer:
		w.out = strconv.AppendInt(w.out, p.at(v).Int(), 10)
	case structure:
		w.structure(p, v)
	case pointer:
		if to := *(*unsafe.Pointer)(v); to == nil {
			w.raw(nil)
		} else {
			w.value(p.item, to)
		}
	case list:
		s := (*slice)(v)
		w.out = append(w.out, '[')
		for i := range s.len {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.value(p.item, s.item(p.item, i))
		}
		w.out = append(w.out, ']')
	case table:
		w.table(p, p.at(v))
	case raw:
		w.raw((*runtime.RawExtension)(v).Raw)
	case quantity:
		w.out = AppendQuoted(w.out, quantityText(*(*resource.Quantity)(v)))
	case moment:
		w.time(*(*metav1.Time)(v))
	default:
		w.other(p.at(v))
	}
}

func (w *writer) structure(p *plan, v unsafe.Pointer) {
	fields := p.fields
	if w.order != nil {
		fields = p.sorted
	}
	begin := len(w.out)
	w.out = append(w.out, '{')
	for _, f := range fields {
		value := f.in(v)
		if !f.isThere(value) {
			continue
		}
		if len(w.out) > begin+1 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, f.quoted...)
		w.value(f.plan, value)
	}
	w.out = append(w.out, '}')
}

// table is written in the order of its keys. What a map holds has no address, so it is copied.
func (w *writer) table(p *plan, v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	value := reflect.New(p.item.typ).Elem()
	w.out = append(w.out, '{')
	for _, key := range keys {
		value.Set(v.MapIndex(key))
		w.out = AppendName(w.out, key.String())
		w.value(p.item, value.Addr().UnsafePointer())
	}
	w.out = append(w.out, '}')
}

// raw writes a value of JSON; none at all is null.
func (w *writer) raw(value []byte) {
	if w.order != nil && len(value) > 0 {
		value = w.order(value)
	}
	if len(value) == 0 {
		value = null
	}
	w.out = AppendCompact(w.out, value)
}

var null = []byte("null")

// other writes what has methods of its own, and types that no object of Kubernetes has.
func (w *writer) other(v reflect.Value) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v.Interface()); err != nil {
		panic(fmt.Sprintf("kjson: %s cannot be written as JSON: %v", v.Type(), err))
	}
	w.raw(bytes.TrimRight(text.Bytes(), "\n"))
}
