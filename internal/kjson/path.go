package kjson

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Within puts a path before the field of a decoding error.
func Within(path string, err error) error {
	if err == nil {
		return nil
	}
	var d *DecodeError
	if errors.As(err, &d) {
		return &DecodeError{Field: JoinPath(path, d.Field), Why: d.Why}
	}
	return err
}

// JoinPath puts a path before another one, which may begin with the index of an item.
func JoinPath(prefix, path string) string {
	switch {
	case path == "":
		return prefix
	case prefix == "" || path[0] == '[':
		return prefix + path
	}
	return prefix + "." + path
}

// PointerPath turns /devices/requests/0/count into devices.requests[0].count.
func PointerPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 32); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}
