package objectjson

import (
	"bytes"
	"errors"
	"reflect"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	apijson "sigs.k8s.io/json"
)

var (
	// lenientText accepts what an API server accepts: duplicate names and invalid UTF-8.
	lenientText = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	lenient     = jsonv2.JoinOptions(lenientText, jsonv2.WithUnmarshalers(unmarshalers))
	strict      = jsonv2.JoinOptions(jsonv2.RejectUnknownMembers(true), jsonv2.WithUnmarshalers(unmarshalers))
)

// Decode reads JSON into a pointer as kube-apiserver does: names are case-sensitive, integers stay integers, the last
// of duplicate fields counts, unknown fields are dropped. The previous content of the value is discarded. Decode
// returns the paths of unknown and duplicate fields. An error is a [*FieldError] that names the field. A value that
// exceeds the limits of this package is rejected before it is built.
//
// JSON that is not strict (a field is unknown or a duplicate, or a string is not UTF-8) is decoded again by the decoder
// of kube-apiserver, which decides what such JSON means.
func Decode(data []byte, into any) (unknown []string, err error) {
	isStrict, err := decode(data, into)
	if err != nil || isStrict {
		return nil, err
	}
	setZero(into)
	problems, err := apijson.UnmarshalStrict(data, into)
	if err != nil {
		return nil, &FieldError{Reason: "is not JSON of this kind"}
	}
	for _, problem := range problems {
		unknown = append(unknown, pathOfStrictError(problem))
	}
	return unknown, nil
}

// DecodeStrict reads JSON that must be strict, such as configuration of claimbridge. It reports false, and leaves the
// value zero, when the JSON cannot be decoded or has unknown or duplicate fields or invalid UTF-8.
func DecodeStrict(data []byte, into any) bool {
	isStrict, err := decode(data, into)
	if err != nil || !isStrict {
		setZero(into)
		return false
	}
	return true
}

// decode reports whether the text is strict JSON for the type.
func decode(data []byte, into any) (isStrict bool, err error) {
	setZero(into)
	if err := checkLimits(data, reflect.TypeOf(into).Elem()); err != nil {
		return false, err
	}
	if jsonv2.Unmarshal(data, into, strict) == nil {
		return true, nil
	}
	setZero(into)
	if err := jsonv2.Unmarshal(data, into, lenient); err != nil {
		return false, decodeError(data, err)
	}
	return false, nil
}

func setZero(pointer any) { reflect.ValueOf(pointer).Elem().SetZero() }

// decodeError returns an error of the library as a [*FieldError], without the value. If the text is not JSON, the
// error says only that.
func decodeError(data []byte, err error) error {
	s := NewScanner(data)
	s.Skip()
	if err := s.Err(); err != nil {
		return err
	}
	semantic, ok := errors.AsType[*jsonv2.SemanticError](err)
	if !ok {
		return &FieldError{Reason: "is not JSON"}
	}
	field := fieldPath(data, semantic)
	if known, ok := errors.AsType[*FieldError](semantic.Err); ok {
		return &FieldError{Field: JoinPath(field, known.Field), Reason: known.Reason}
	}
	return &FieldError{Field: field, Reason: typeMismatch(semantic.JSONKind, semantic.GoType)}
}

// fieldPath returns a path such as devices.requests[0].count. It needs the text to find out which parts of the JSON
// pointer are indexes.
func fieldPath(data []byte, at *jsonv2.SemanticError) (path string) {
	decoder := jsontext.NewDecoder(bytes.NewReader(data), lenientText)
	for decoder.InputOffset() < at.ByteOffset {
		if _, err := decoder.ReadToken(); err != nil {
			break
		}
	}
	level := 0
	for token := range at.JSONPointer.Tokens() {
		level++
		if kind, _ := decoder.StackIndex(level); kind == '[' {
			token = "[" + token + "]"
		}
		path = JoinPath(path, token)
	}
	return path
}

// typeMismatch describes a JSON value that a Go type cannot hold.
func typeMismatch(found jsontext.Kind, t reflect.Type) string {
	names := map[jsontext.Kind]string{
		'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '{': "an object",
		'[': "an array",
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return "cannot be " + names[found]
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "must be a " + strconv.Itoa(t.Bits()) + "-bit integer"
	case reflect.String:
		return "cannot be " + names[found] + ", must be a string"
	case reflect.Bool:
		return "cannot be " + names[found] + ", must be true or false"
	case reflect.Slice:
		return "cannot be " + names[found] + ", must be an array"
	case reflect.Struct, reflect.Map:
		return "cannot be " + names[found] + ", must be an object"
	}
	return "cannot be " + names[found]
}

// pathOfStrictError returns the path in an error like: unknown field "devices.requests[0].foo".
func pathOfStrictError(err error) string {
	text := err.Error()
	if i, j := strings.IndexByte(text, '"'), strings.LastIndexByte(text, '"'); 0 <= i && i < j {
		if path, err := strconv.Unquote(text[i : j+1]); err == nil {
			return path
		}
	}
	return text
}
