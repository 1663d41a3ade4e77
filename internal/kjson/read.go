package kjson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// reader reads a value by its plan, into a variable that is zero. What it returns is a
// *DecodeError; where the text is no JSON it stands still and returns nothing.
type reader struct {
	Scanner
	// odd is set where the text is not clean: a member is unknown or there twice, or a string is not in UTF-8.
	odd bool
}

func (r *reader) value(p *plan, v unsafe.Pointer) error {
	if r.Null() {
		return nil
	}
	switch p.nature {
	case text:
		if !r.Is('"') {
			return r.mismatch(p.typ)
		}
		*(*string)(v) = r.text(r.String())
	case boolean:
		if !r.Is('t') && !r.Is('f') {
			return r.mismatch(p.typ)
		}
		*(*bool)(v) = r.Is('t')
		r.Skip()
	case integer:
		return r.integer(p.typ, p.at(v))
	case structure:
		return r.structure(p, v)
	case pointer:
		to := p.item.allocate(1)
		*(*unsafe.Pointer)(v) = to
		return r.value(p.item, to)
	case list:
		return r.list(p, (*slice)(v))
	case table:
		return r.table(p, p.at(v))
	case raw:
		(*runtime.RawExtension)(v).Raw = r.Value()
	case quantity:
		return r.quantity((*resource.Quantity)(v))
	case moment:
		return r.time((*metav1.Time)(v))
	default:
		if value := r.Value(); value != nil && json.Unmarshal(value, p.at(v).Addr().Interface()) != nil {
			return whyNot(value, p.typ)
		}
	}
	return nil
}

// text that was read, decoded.
func (r *reader) text(t Text) string {
	if !t.Escaped {
		plain := View(r.data[t.Begin:t.End])
		r.odd = r.odd || t.Foreign && !utf8.ValidString(plain)
		return plain
	}
	if r.failed {
		return ""
	}
	unquoted, ok := AppendUnquoted(nil, r.data[t.Begin-1:t.End+1])
	r.odd = r.odd || !ok
	return View(unquoted)
}

func (r *reader) integer(t reflect.Type, v reflect.Value) error {
	begin := r.Begin()
	end := endOfNumber(r.data, begin)
	if end < 0 {
		return r.mismatch(t)
	}
	n, err := strconv.ParseInt(View(r.data[begin:end]), 10, 64)
	if err != nil || v.OverflowInt(n) {
		return r.mismatch(t)
	}
	r.pos = end
	v.SetInt(n)
	return nil
}

func (r *reader) structure(p *plan, v unsafe.Pointer) error {
	if !r.Is('{') {
		return r.mismatch(p.typ)
	}
	seen, next := uint64(0), 0
	for more := r.FirstMember(); more; more = r.NextMember() {
		f := p.named(r.nameOf(r.name), next)
		if f == nil {
			r.odd = true
			r.Skip()
			continue
		}
		next = f.number
		value := f.in(v)
		if bit := uint64(1) << f.number; seen&bit != 0 || bit == 0 {
			r.odd = true
			f.at(value).SetZero()
		} else {
			seen |= bit
		}
		if err := r.value(f.plan, value); err != nil {
			return Within(f.name, err)
		}
	}
	return nil
}

func (r *reader) list(p *plan, s *slice) error {
	if !r.Is('[') {
		return r.mismatch(p.typ)
	}
	for more := r.FirstElement(); more; more = r.NextElement() {
		s.grow(p.item)
		if err := r.value(p.item, s.item(p.item, s.len-1)); err != nil {
			return Within(fmt.Sprintf("[%d]", s.len-1), err)
		}
	}
	if s.len == 0 {
		s.data = unsafe.Pointer(&nothing) // it is empty, and not absent
	}
	s.cap = s.len // who appends to it writes over nothing
	return nil
}

// nothing is where empty lists are.
var nothing uint64

func (r *reader) table(p *plan, v reflect.Value) error {
	if !r.Is('{') {
		return r.mismatch(p.typ)
	}
	v.Set(reflect.MakeMap(p.typ))
	key, value := reflect.New(p.typ.Key()).Elem(), reflect.New(p.item.typ).Elem() // a map copies what it holds
	for more := r.FirstMember(); more; more = r.NextMember() {
		key.SetString(r.text(r.name))
		value.SetZero()
		if err := r.value(p.item, value.Addr().UnsafePointer()); err != nil {
			return Within(strings.Clone(key.String()), err)
		}
		before := v.Len()
		v.SetMapIndex(key, value)
		r.odd = r.odd || v.Len() == before
	}
	return nil
}

// mismatch is a value that a type cannot be read from.
func (r *reader) mismatch(t reflect.Type) error {
	if value := r.Value(); value != nil {
		return whyNot(value, t)
	}
	return nil
}

// whyNot says what a type must be read from.
func whyNot(value []byte, t reflect.Type) error {
	is := map[byte]string{'t': "a boolean", 'f': "a boolean", '"': "a string", '{': "an object", '[': "an array"}
	must := map[reflect.Kind]string{
		reflect.String: ", must be a string",
		reflect.Bool:   ", must be true or false",
		reflect.Slice:  ", must be an array",
		reflect.Struct: ", must be an object", reflect.Map: ", must be an object",
	}
	if natureOf(t) == integer {
		return &DecodeError{Why: "must be a whole number of 64 bits"}
	}
	return &DecodeError{Why: "cannot be " + cmp.Or(is[value[0]], "a number") + must[t.Kind()]}
}
