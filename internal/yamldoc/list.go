package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// List is an object with items that are read one by one.
type List struct {
	APIVersion, Kind string
	// Before and After are the members of the object before and after its items. After is complete when Next returns
	// io.EOF.
	Before, After []objectjson.Member

	position Position
	json     *jsonReader
	hasLines bool  // json counts the lines of items
	lines    []int // of the items of a YAML list
	index    int
	err      error
}

// Item is an item of a list.
type Item struct {
	Position
	Object []byte // JSON, valid until the next call of Next
}

// FunctionGroup is the API group of the lists, kind ResourceList, that kustomize and kpt hand to their functions.
const FunctionGroup = "config.kubernetes.io"

// ListOf opens a list. It is nil if the object has no items, or if its kind does not end with List.
func ListOf(object []byte, at Position) (*List, error) {
	apiVersion, kind := TypeOf(object)
	if !strings.HasSuffix(kind, "List") {
		return nil, nil
	}
	r := newJSONReader(bytes.NewReader(object), at.Line)
	if _, err := r.token(); err != nil {
		return nil, err
	}
	list := &List{APIVersion: apiVersion, Kind: kind, json: r, position: at}
	for r.PeekKind() != '}' {
		m, err := r.member(func(name string) bool { return name == "items" && r.PeekKind() == '[' })
		if err != nil {
			return nil, err
		}
		if m.Value == nil {
			_, err := r.token()
			return list, err
		}
		list.Before = append(list.Before, m)
	}
	return nil, nil
}

// Next returns the next item, or io.EOF at the end. After another error there are no more items.
func (l *List) Next() (Item, error) {
	if l.err != nil {
		return Item{}, l.err
	}
	index := l.index
	l.index++
	if l.json.PeekKind() == ']' {
		l.err = l.end()
		return Item{}, l.err
	}
	value, line, err := l.json.value()
	switch {
	case err != nil:
		l.err = fmt.Errorf("items[%d]: %w; the rest of the list is not read", index, plainError(err))
		return Item{}, l.err
	case len(value) > MaxDocument:
		l.err = fmt.Errorf("items[%d]: %w; the rest of the list is not read", index, errDocumentTooLarge)
		return Item{}, l.err
	case index < len(l.lines):
		line = l.lines[index]
	case !l.hasLines:
		line = 0
	}
	return Item{Object: value, Position: l.position.item(index, line)}, nil
}

// end reads the members after the items.
func (l *List) end() error {
	if _, err := l.json.token(); err != nil {
		return plainError(err)
	}
	for l.json.PeekKind() != '}' {
		m, err := l.json.member(nil)
		if err != nil {
			return plainError(err)
		}
		if m.Name == "items" {
			return errors.New("items: duplicate key")
		}
		l.After = append(l.After, m)
	}
	if _, err := l.json.token(); err != nil {
		return plainError(err)
	}
	return io.EOF
}
