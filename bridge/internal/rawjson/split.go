package rawjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

var (
	errNotObject = errors.New("must be an object")
	errNotList   = errors.New("must be a list")
	errSyntax    = errors.New("is not JSON")
	errDuplicate = errors.New("duplicate key")
)

// Member is a member of an object: its decoded name and the text of its value.
type Member struct {
	Name  string
	Value []byte
}

// Members returns the members of an object in their order. The values share memory with the object. Duplicate names are
// an error.
func Members(object []byte) (members []Member, err error) {
	names := duplicateFinder{}
	object = trimSpace(object)
	if len(object) == 0 || object[0] != '{' {
		return nil, errNotObject
	}
	for i := skipSpace(object, 1); i < len(object); i = skipSpace(object, i) {
		if object[i] == '}' {
			return members, nil
		}
		if object[i] == ',' {
			i = skipSpace(object, i+1)
		}
		name, end := scanValue(object, i)
		if end < 0 || name[0] != '"' {
			return nil, errSyntax
		}
		colon := skipSpace(object, end)
		if colon == len(object) || object[colon] != ':' {
			return nil, errSyntax
		}
		text, end := scanValue(object, skipSpace(object, colon+1))
		if end < 0 {
			return nil, errSyntax
		}
		m := Member{Name: String(name), Value: text}
		if names.isDuplicate(m.Name, members) {
			return nil, fmt.Errorf("%w %.100q", errDuplicate, m.Name)
		}
		members = append(members, m)
		i = end
	}
	return nil, errSyntax
}

// duplicateFinder finds duplicate names in time proportional to the number of members. For up to fewMembers members it
// compares all names, and fills the set only after that.
type duplicateFinder map[string]bool

// fewMembers is the number of members up to which comparing all names is fast.
const fewMembers = 16

// isDuplicate reports whether one of the members has a name, which becomes the name of the next member.
func (f duplicateFinder) isDuplicate(name string, members []Member) bool {
	if len(members) < fewMembers {
		return Find(members, name) >= 0
	}
	if len(f) == 0 {
		for _, m := range members {
			f[m.Name] = true
		}
	}
	isDuplicate := f[name]
	f[name] = true
	return isDuplicate
}

// Items returns the texts of the items of an array.
func Items(list []byte) (items [][]byte, err error) {
	list = trimSpace(list)
	if len(list) == 0 || list[0] != '[' {
		return nil, errNotList
	}
	for i := skipSpace(list, 1); i < len(list); i = skipSpace(list, i) {
		if list[i] == ']' {
			return items, nil
		}
		if list[i] == ',' {
			i = skipSpace(list, i+1)
		}
		item, end := scanValue(list, i)
		if end < 0 {
			return nil, errSyntax
		}
		items = append(items, item)
		i = end
	}
	return nil, errSyntax
}

// Object returns the object that has the members.
func Object(members []Member) []byte {
	size := len("{}")
	for _, m := range members {
		size += len(m.Name) + len(m.Value) + len(`"":,`)
	}
	out := append(make([]byte, 0, size), '{')
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, Quote(m.Name)...), ':')
		out = append(out, m.Value...)
	}
	return append(out, '}')
}

// Find returns the index of a member, or -1.
func Find(members []Member, name string) int {
	return slices.IndexFunc(members, func(m Member) bool { return m.Name == name })
}

// Get returns the value of a member, or nil.
func Get(members []Member, name string) []byte {
	if i := Find(members, name); i >= 0 {
		return members[i].Value
	}
	return nil
}

// GetPath returns the value at a path of member names, or nil if there is none.
func GetPath(text []byte, path ...string) []byte {
	for _, name := range path {
		members, err := Members(text)
		if err != nil {
			return nil
		}
		text = Get(members, name)
	}
	return text
}

// IsAbsentOrNull reports whether a value is absent or null.
func IsAbsentOrNull(text []byte) bool { return len(text) == 0 || string(text) == "null" }

// String returns the content of a string, or "" for any other value.
func String(text []byte) string {
	if len(text) == 0 || text[0] != '"' {
		return ""
	}
	if plain := text[1 : len(text)-1]; isPlain(plain) {
		return string(plain)
	}
	var content string
	_ = json.Unmarshal(text, &content) // a string that is not valid is ""
	return content
}

// Quote returns a string as JSON.
func Quote(content string) []byte {
	if isPlain([]byte(content)) {
		return []byte(`"` + content + `"`)
	}
	text, _ := json.Marshal(content) // a string can always be written
	return text
}

// isPlain reports whether the text of a string is its content.
func isPlain(content []byte) bool {
	for _, c := range content {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// EachItem in a path stands for every item of a list.
const EachItem = "[]"

// Edit returns a value in which the values at a path are replaced by what a function returns for them. The path has
// names of members and [EachItem]. Absent values and null on the path are unchanged. Any other value that is not an
// object, or not a list, is an error with its path.
func Edit(text []byte, path []string, edit func(text []byte) ([]byte, error)) ([]byte, error) {
	switch {
	case len(path) == 0:
		return edit(text)
	case IsAbsentOrNull(text):
		return text, nil
	case path[0] == EachItem:
		return editItems(text, path[1:], edit)
	}
	members, err := Members(text)
	if err != nil {
		return nil, err
	}
	i := Find(members, path[0])
	if i < 0 {
		return text, nil
	}
	if members[i].Value, err = Edit(members[i].Value, path[1:], edit); err != nil {
		return nil, AtPath(path[0], err)
	}
	return Object(members), nil
}

func editItems(list []byte, path []string, edit func(text []byte) ([]byte, error)) ([]byte, error) {
	items, err := Items(list)
	if err != nil {
		return nil, err
	}
	out := []byte{'['}
	for i, item := range items {
		edited, err := Edit(item, path, edit)
		if err != nil {
			return nil, AtPath(fmt.Sprintf("[%d]", i), err)
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, edited...)
	}
	return append(out, ']'), nil
}

// PathError is an error about the value at a path, such as spec.devices.requests[0].
type PathError struct {
	Path string
	Err  error
}

func (e *PathError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *PathError) Unwrap() error { return e.Err }

// AtPath returns an error with a path before its own path, if it has one.
func AtPath(path string, err error) error {
	var inner *PathError
	if !errors.As(err, &inner) {
		return &PathError{path, err}
	}
	if inner.Path[0] != '[' {
		path += "."
	}
	return &PathError{path + inner.Path, inner.Err}
}
