package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// List is an object with items that are read one by one.
type List struct {
	// APIVersion and Kind of the list. When they stand behind the items they are, until Next has returned io.EOF, what
	// the first item lets expect.
	APIVersion, Kind string
	// Before and After are the members of the object that stand before and behind its items. After is complete once
	// Next has returned io.EOF.
	Before, After []Member

	position Position
	dec      *jsontext.Decoder
	line     func(offset int64) int
	more     func() // allows the decoder another document's worth of bytes
	first    []byte // item that was read to know what this is
	at       int    // line of first
	lines    []int  // of the items, where dec does not know
	index    int
	guessed  bool // APIVersion and Kind are
	complete bool // the decoder is behind the list
	err      error
}

// Item of a list.
type Item struct {
	Position
	Object []byte // JSON, valid until the next call of Next
}

// ListOf opens a list that is in memory. It is nil when the object has no items or not a list's kind.
func ListOf(object []byte, at Position) (*List, error) {
	apiVersion, kind := TypeOf(object)
	if !strings.HasSuffix(kind, "List") {
		return nil, nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true))
	o, err := readObject(dec, kind, func() {})
	if err != nil || o.list == nil {
		return nil, err
	}
	o.list.APIVersion, o.list.Kind, o.list.guessed = apiVersion, kind, false
	o.list.position = at
	return o.list, nil
}

// Next item, or io.EOF. After another error there are no more items.
func (l *List) Next() (Item, error) {
	if l.err != nil {
		return Item{}, l.err
	}
	index := l.index
	l.index++
	if l.first != nil {
		item := Item{Object: l.first, Position: l.position.item(index, l.at)}
		l.first = nil
		return item, nil
	}
	l.more()
	if l.dec.PeekKind() == ']' {
		l.err = l.end()
		return Item{}, l.err
	}
	value, err := l.dec.ReadValue()
	if err != nil {
		l.err = fmt.Errorf("items[%d]: %w; the rest of the list is not read", index, plain(err))
		return Item{}, l.err
	}
	line := 0
	switch {
	case index < len(l.lines):
		line = l.lines[index]
	case l.line != nil:
		line = l.line(l.dec.InputOffset() - int64(len(value)))
	}
	return Item{Object: value, Position: l.position.item(index, line)}, nil
}

// end reads what stands behind the items.
func (l *List) end() error {
	if _, err := l.dec.ReadToken(); err != nil {
		return plain(err)
	}
	apiVersion, kind := l.APIVersion, l.Kind
	for l.dec.PeekKind() != '}' {
		m, err := readMember(l.dec)
		if err != nil {
			return plain(err)
		}
		switch {
		case m.Name == "apiVersion" && l.guessed:
			apiVersion = kjson.StringOf(m.Value)
		case m.Name == "kind" && l.guessed:
			kind = kjson.StringOf(m.Value)
		case m.Name == "items":
			return errors.New("there are two fields items")
		}
		l.After = append(l.After, m)
	}
	if _, err := l.dec.ReadToken(); err != nil {
		return plain(err)
	}
	l.complete = true
	if l.guessed && kind != l.Kind {
		return fmt.Errorf("kind %q does not go with its items, for which it must be %s", kind, l.Kind)
	}
	l.APIVersion, l.Kind = apiVersion, kind
	return io.EOF
}

// drain reads a list to its end.
func (l *List) drain() {
	for l.err == nil {
		_, _ = l.Next()
	}
}
