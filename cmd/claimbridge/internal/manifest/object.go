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

// object is what readObject reads: a whole object, or a list up to its items.
type object struct {
	raw  []byte
	list *List
}

// readObject reads a JSON object, member by member. When it comes to the items of a list it stops: kind is the list's
// kind if it is known already. If it is not, a list is known by items that say what they are themselves; kubectl
// writes the kind behind the items, as it sorts keys.
func readObject(dec *jsontext.Decoder, kind string, more func()) (object, error) {
	if _, err := dec.ReadToken(); err != nil {
		return object{}, err
	}
	var before []Member
	var apiVersion string
	size := 0
	for dec.PeekKind() != '}' {
		more()
		name, err := dec.ReadToken()
		if err != nil {
			return object{}, err
		}
		m := Member{Name: name.String()}
		if m.Name == "items" && dec.PeekKind() == '[' && (kind == "" || strings.HasSuffix(kind, "List")) {
			list, value, err := readItems(dec, kind, more)
			if err != nil {
				return object{}, err
			}
			if list != nil {
				list.Before = before
				list.guess(apiVersion, kind)
				return object{list: list}, nil
			}
			m.Value = value
		} else {
			value, err := dec.ReadValue()
			if err != nil {
				return object{}, err
			}
			m.Value = bytes.Clone(value)
		}
		switch m.Name {
		case "apiVersion":
			apiVersion = kjson.StringOf(m.Value)
		case "kind":
			kind = kjson.StringOf(m.Value)
		}
		if size += len(m.Name) + len(m.Value); size > MaxDocument {
			return object{}, errTooBig
		}
		before = append(before, m)
	}
	if _, err := dec.ReadToken(); err != nil {
		return object{}, err
	}
	return object{raw: AppendObject(nil, before)}, nil
}

// readItems opens the items of a list, or reads them all when they do not say what they are.
func readItems(dec *jsontext.Decoder, kind string, more func()) (*List, []byte, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, nil, err
	}
	list := &List{dec: dec, more: more}
	if kind != "" {
		return list, nil, nil
	}
	value := []byte{'['}
	for dec.PeekKind() != ']' {
		item, err := dec.ReadValue()
		if err != nil {
			return nil, nil, err
		}
		if len(value) == 1 {
			if apiVersion, kind := TypeOf(item); apiVersion != "" && kind != "" {
				list.first = bytes.Clone(item)
				return list, nil, nil
			}
		} else {
			value = append(value, ',')
		}
		if value = append(value, item...); len(value) > MaxDocument {
			return nil, nil, errTooBig
		}
	}
	_, err := dec.ReadToken()
	return nil, append(value, ']'), err
}

// FunctionGroup is the API group of the lists, kind ResourceList, that kustomize and kpt hand to their functions.
const FunctionGroup = "config.kubernetes.io"

// guess what the list is from what is known of it so far.
func (l *List) guess(apiVersion, kind string) {
	l.APIVersion, l.Kind = apiVersion, kind
	if kind != "" && apiVersion != "" {
		return
	}
	l.guessed = true
	itemVersion, itemKind := TypeOf(l.first)
	switch {
	case kind == "List" || kind == "" && (apiVersion == "v1" || apiVersion == ""):
		l.APIVersion, l.Kind = "v1", "List"
	case kind == "" && strings.HasPrefix(apiVersion, FunctionGroup+"/"):
		l.Kind = "ResourceList"
	case kind == "":
		l.Kind = itemKind + "List"
	case apiVersion == "":
		l.APIVersion = itemVersion
	}
}

// plain words for what the decoder has to say, without a quote from the input.
func plain(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errTooBig):
		return errTooBig
	case errors.As(err, &syntax):
		what := "is not JSON"
		if errors.Is(err, io.ErrUnexpectedEOF) {
			what = "ends before the object does"
		}
		if path := strings.ReplaceAll(string(syntax.JSONPointer), "/", "."); path != "" {
			what += fmt.Sprintf(", near field %.200s", path[1:])
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New(what)
		}
		return errors.New(what + ": " + syntax.Err.Error())
	}
	return err
}
