package kjson

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// checkBounds walks over a text before a decoder builds a value of a type from it. Where the text does not fit the type
// nothing is said: the decoder does that.
func checkBounds(text []byte, t reflect.Type) error {
	short := len(text) < 3*MaxList || bytes.Count(text, []byte{','}) < MaxList // three bytes an item, and a comma
	if short && !holdsTexts(t) {
		return nil
	}
	b := bounds{Scanner: New(text)}
	return b.value(t, false)
}

// bounds of a value that is walked over.
type bounds struct {
	Scanner
	built uintptr
}

// value of a type. A list is limited where its owner is a type of the API of claims.
func (b *bounds) value(t reflect.Type, limited bool) error {
	for t.Kind() == reflect.Pointer && !readsItself(t) {
		t = t.Elem()
	}
	switch {
	case t == quantityType || t == reflect.PointerTo(quantityType):
		return b.quantity()
	case t == timeType || t == reflect.PointerTo(timeType):
		return b.time()
	case readsItself(t) || readsItself(reflect.PointerTo(t)):
	case t.Kind() == reflect.Struct && b.Is('{'):
		return b.structure(t)
	case t.Kind() == reflect.Map && b.Is('{'):
		return b.pairs(t)
	case t.Kind() == reflect.Slice && b.Is('['):
		return b.list(t, limited)
	}
	b.Skip()
	return nil
}

func (b *bounds) structure(t reflect.Type) error {
	fields, limited := jsonFields(t), limits(t.PkgPath())
	for name := range b.Members() {
		field, known := fields[name]
		if !known {
			b.Skip()
		} else if err := b.value(field, limited); err != nil {
			return Within(name, err)
		}
	}
	return nil
}

func (b *bounds) pairs(t reflect.Type) error {
	for range b.Members() {
		if b.built += pairSize + t.Elem().Size(); b.built > MaxBuilt {
			return errMuchToBuild
		}
		if err := b.value(t.Elem(), false); err != nil {
			return err
		}
	}
	return nil
}

func (b *bounds) list(t reflect.Type, limited bool) error {
	item := t.Elem()
	limited = limited && hasLimit(item.String())
	for n := range b.Elements() {
		if n == MaxList && limited {
			return errLongList
		}
		if b.built += item.Size(); b.built > MaxBuilt {
			return errMuchToBuild
		}
		if err := b.value(item, false); err != nil {
			return Within(fmt.Sprintf("[%d]", n), err)
		}
	}
	return nil
}

var unmarshaler = reflect.TypeFor[stdjson.Unmarshaler]()

func readsItself(t reflect.Type) bool { return t.Implements(unmarshaler) }

var fieldsByType sync.Map // map[string]reflect.Type by reflect.Type

// jsonFields of a struct by their names; those of embedded structs are its own.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	if known, ok := fieldsByType.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	fieldsByType.Store(t, fields)
	return fields
}

var holdTexts sync.Map // map[reflect.Type]bool

// holdsTexts reports whether values of a type can have a quantity or a time somewhere: texts that are looked into.
func holdsTexts(t reflect.Type) bool {
	if known, ok := holdTexts.Load(t); ok {
		return known.(bool)
	}
	holds := looksForTexts(t, map[reflect.Type]bool{})
	holdTexts.Store(t, holds)
	return holds
}

func looksForTexts(t reflect.Type, seen map[reflect.Type]bool) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if text := t == quantityType || t == timeType; text || t.Kind() != reflect.Struct || seen[t] {
		return text
	}
	seen[t] = true
	for _, field := range jsonFields(t) {
		if looksForTexts(field, seen) {
			return true
		}
	}
	return false
}
