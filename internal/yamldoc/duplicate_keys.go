package yamldoc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// LocationError is an error about a line of YAML or a field of JSON. Its text contains the line or field.
type LocationError struct {
	Line        int
	Field       string
	IsDuplicate bool // the error is about a duplicate key
	error
}

// Unwrap returns the cause.
func (e *LocationError) Unwrap() error { return e.error }

// LocationOf returns the location of an error. It is empty if the error has none.
func LocationOf(err error) LocationError {
	if at, ok := errors.AsType[*LocationError](err); ok {
		return *at
	}
	return LocationError{}
}

// WithoutDuplicates returns a JSON object with the last value of each duplicate key, and calls report for each of the
// other values. The rest is unchanged, byte for byte. Invalid JSON is returned unchanged; decoding reports it.
func WithoutDuplicates(object []byte, report func(*LocationError)) []byte {
	lenient := jsontext.AllowInvalidUTF8(true)
	_, err := jsontext.NewDecoder(bytes.NewBuffer(object), lenient).ReadValue()
	if !errors.Is(err, jsontext.ErrDuplicateName) {
		return object // nearly all objects
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(object), lenient, jsontext.AllowDuplicateNames(true))
	var open []memberNames
	var removed [][2]int // from the name of a member to that of the next one
	for {
		depth := d.StackDepth()
		open = append(open[:min(depth, len(open))], make([]memberNames, max(depth-len(open), 0))...)
		kind, before := d.StackIndex(depth)
		begin := int(d.InputOffset())
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		if kind != '{' || before%2 != 0 || token.Kind() == '}' {
			continue
		}
		names := &open[depth-1]
		names.last = token.String()
		begin += bytes.IndexByte(object[begin:], '"')
		if at, isDuplicate := names.index[names.last]; isDuplicate {
			path := pathOf(d, open)
			report(&LocationError{Field: path, IsDuplicate: true, error: fmt.Errorf("%s: is duplicated", path)})
			removed = append(removed, [2]int{names.begins[at], append(names.begins, begin)[at+1]})
		} else if names.index == nil {
			names.index = map[string]int{}
		}
		names.index[names.last] = len(names.begins)
		names.begins = append(names.begins, begin)
	}
	slices.SortFunc(removed, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	result := make([]byte, 0, len(object))
	at := 0
	for _, member := range removed {
		result = append(result, object[min(at, member[0]):member[0]]...)
		at = max(at, member[1])
	}
	return append(result, object[at:]...)
}

// memberNames are the names of an object that is being read: where each begins, and the index of the last one of each
// name.
type memberNames struct {
	last   string
	begins []int
	index  map[string]int
}

// maxPath limits a path in bytes: a name may be as long as the text, and each object in another one may have a
// duplicate key.
const maxPath = 200

// pathOf returns the path of the member that is being read.
func pathOf(d *jsontext.Decoder, open []memberNames) (path string) {
	for i := 0; i < len(open) && len(path) < maxPath; i++ {
		if kind, n := d.StackIndex(i + 1); kind == '[' {
			path += fmt.Sprintf("[%d]", n-1)
		} else {
			path = objectjson.JoinPath(path, cmp.Or(open[i].last, `""`))
		}
	}
	return path[:min(len(path), maxPath)]
}
