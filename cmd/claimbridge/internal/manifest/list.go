package manifest

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// List is an object with items that are read one by one.
type List struct {
	// APIVersion and Kind of the list. When they stand behind the items they are, until Next has returned io.EOF, what
	// the first item lets expect.
	APIVersion, Kind string
	// Before and After are the members of the object that stand before and behind its items. After is complete once
	// Next has returned io.EOF.
	Before, After []kjson.Member

	position Position
	json     *jsonReader
	inFile   bool   // so that json knows the lines of items
	lines    []int  // of the items of YAML
	first    []byte // item that was read to know what this is
	index    int
	guessed  bool // APIVersion and Kind are
	complete bool // all of it was read
	err      error
}

// Item of a list.
type Item struct {
	Position
	Object []byte // JSON, valid until the next call of Next
}

// FunctionGroup is the API group of the lists, kind ResourceList, that kustomize and kpt hand to their functions.
const FunctionGroup = "config.kubernetes.io"

// guess what the list is from what is known of it so far.
func (l *List) guess(apiVersion, kind string) {
	l.APIVersion, l.Kind = apiVersion, kind
	l.guessed = kind == "" || apiVersion == ""
	itemVersion, itemKind := TypeOf(l.first)
	switch {
	case !l.guessed:
	case kind == "List" || kind == "" && (apiVersion == "v1" || apiVersion == ""):
		l.APIVersion, l.Kind = "v1", "List"
	case kind == "" && strings.HasPrefix(apiVersion, FunctionGroup+"/"):
		l.Kind = "ResourceList"
	case kind == "":
		l.Kind = itemKind + "List"
	default:
		l.APIVersion = itemVersion
	}
}

// Next item, or io.EOF. After another error there are no more items.
func (l *List) Next() (Item, error) {
	if l.err != nil {
		return Item{}, l.err
	}
	index := l.index
	l.index++
	if l.first != nil {
		item := Item{Object: l.first, Position: l.position.item(index, l.position.Line)}
		l.first = nil
		return item, nil
	}
	l.json.more()
	if l.json.PeekKind() == ']' {
		l.err = l.end()
		return Item{}, l.err
	}
	value, line, err := l.json.value()
	switch {
	case err != nil:
		l.err = fmt.Errorf("items[%d]: %w; the rest of the list is not read", index, plain(err))
		return Item{}, l.err
	case index < len(l.lines):
		line = l.lines[index]
	case !l.inFile:
		line = 0
	}
	return Item{Object: value, Position: l.position.item(index, line)}, nil
}

// end reads what stands behind the items.
func (l *List) end() error {
	if _, err := l.json.token(); err != nil {
		return plain(err)
	}
	apiVersion, kind := l.APIVersion, l.Kind
	for l.json.PeekKind() != '}' {
		m, err := l.json.member(nil)
		switch {
		case err != nil:
			return plain(err)
		case m.Name == "apiVersion" && l.guessed:
			apiVersion = kjson.StringOf(m.Value)
		case m.Name == "kind" && l.guessed:
			kind = kjson.StringOf(m.Value)
		case m.Name == "items":
			return errors.New("there are two fields items")
		}
		l.After = append(l.After, m)
	}
	if _, err := l.json.token(); err != nil {
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
