package manifest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// AppendObject writes members as a JSON object.
func AppendObject(out []byte, members []kjson.Member) []byte {
	out = append(out, '{')
	for _, m := range members {
		out = append(kjson.AppendName(out, m.Name), m.Value...)
	}
	return append(out, '}')
}

// AsList writes items as a JSON list.
func AsList(items [][]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(items, []byte{','}), []byte{']'})
}

// Prepend members to a JSON object that does not have them. What is not an object is returned as it is.
func Prepend(object []byte, members []kjson.Member) []byte {
	rest, isObject := bytes.CutPrefix(bytes.TrimLeft(object, " \t\r\n"), []byte{'{'})
	if !isObject {
		return object
	}
	out := bytes.TrimSuffix(AppendObject(nil, members), []byte{'}'})
	if rest = bytes.TrimLeft(rest, " \t\r\n"); !bytes.HasPrefix(rest, []byte{'}'}) {
		out = append(out, ',')
	}
	return append(out, rest...)
}

// ListOf opens a list that is in memory. It is nil when the object has no items or not a list's kind.
func ListOf(object []byte, at Position) (*List, error) {
	apiVersion, kind := TypeOf(object)
	if !strings.HasSuffix(kind, "List") {
		return nil, nil
	}
	_, list, err := readObject(newJSONReader(bytes.NewReader(object), at.Line), kind)
	if list != nil {
		list.APIVersion, list.Kind, list.guessed, list.position = apiVersion, kind, false, at
	}
	return list, err
}

// readObject reads a JSON object, member by member. When it comes to the items of a list it stops: kind is the list's
// kind if it is known already. If it is not, a list is known by items that say what they are themselves; kubectl
// writes the kind behind the items, as it sorts keys.
func readObject(r *jsonReader, kind string) (object []byte, list *List, err error) {
	if _, err := r.token(); err != nil {
		return nil, nil, err
	}
	var before []kjson.Member
	var apiVersion string
	size := 0
	for r.PeekKind() != '}' {
		r.more()
		m, err := r.member(func(name string) bool {
			return name == "items" && r.PeekKind() == '[' && (kind == "" || strings.HasSuffix(kind, "List"))
		})
		if err == nil && m.Value == nil {
			list, m.Value, err = readItems(r, kind != "")
		}
		switch {
		case err != nil:
			return nil, nil, err
		case list != nil:
			list.Before = before
			list.guess(apiVersion, kind)
			return nil, list, nil
		case m.Name == "apiVersion":
			apiVersion = kjson.StringOf(m.Value)
		case m.Name == "kind":
			kind = kjson.StringOf(m.Value)
		}
		if size += len(m.Name) + len(m.Value); size > MaxDocument {
			return nil, nil, errTooBig
		}
		before = append(before, m)
	}
	_, err = r.token()
	return AppendObject(nil, before), nil, err
}

// readItems opens the items of a list, or reads them all when it is not known to be one, and they do not say what they are.
func readItems(r *jsonReader, known bool) (list *List, value []byte, err error) {
	if _, err := r.token(); err != nil {
		return nil, nil, err
	}
	list = &List{json: r}
	if known {
		return list, nil, nil
	}
	value = []byte{'['}
	for r.PeekKind() != ']' {
		item, _, err := r.value()
		if err != nil {
			return nil, nil, err
		}
		if len(value) > 1 {
			value = append(value, ',')
		} else if apiVersion, kind := TypeOf(item); apiVersion != "" && kind != "" {
			list.first = bytes.Clone(item)
			return list, nil, nil
		}
		if value = append(value, item...); len(value) > MaxDocument {
			return nil, nil, errTooBig
		}
	}
	_, err = r.token()
	return nil, append(value, ']'), err
}
