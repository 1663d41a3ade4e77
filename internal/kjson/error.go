package kjson

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"k8s.io/apimachinery/pkg/api/resource"
)

// DecodeError says which field could not be read, and why. It never holds the value.
type DecodeError struct {
	Field string // path from where decoding began; empty for the value itself
	Why   string
}

func (e *DecodeError) Error() string {
	if e.Field == "" {
		return e.Why
	}
	return e.Field + ": " + e.Why
}

var errNoObject = &DecodeError{Why: "must be an object"}

// Err says where the text is not JSON, or that something follows its value: nil when one value was read to its end. A decoder
// that tracks its position reads it once more.
func (s *Scanner) Err() error {
	if s.AtEnd() {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(s.data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, err := dec.ReadValue()
	if err == nil {
		err = dec.SkipValue()
	}
	e := &DecodeError{Why: "is not JSON"}
	if at, ok := err.(*jsontext.SyntacticError); ok { //nolint:errorlint // the decoder wraps nothing here
		e.Field = PointerPath(at.JSONPointer)
		e.Why = fmt.Sprintf("is not JSON at byte %d", at.ByteOffset)
	}
	return e
}

// explainDecode finds the field that does not fit: a second, lenient reading says where.
func explainDecode(data []byte, into any, err error) error {
	probe := reflect.New(reflect.TypeOf(into).Elem()).Interface()
	again := json.Unmarshal(data, probe, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var semantic *json.SemanticError
	if errors.As(again, &semantic) {
		return &DecodeError{Field: PointerPath(semantic.JSONPointer), Why: semanticWhy(semantic)}
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(again, &syntactic) {
		return &DecodeError{
			Field: PointerPath(syntactic.JSONPointer),
			Why:   fmt.Sprintf("is not JSON at byte %d", syntactic.ByteOffset),
		}
	}
	var mismatch *stdjson.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return &DecodeError{Field: mismatch.Field, Why: "cannot be a JSON " + mismatch.Value}
	}
	return &DecodeError{Why: "is not JSON of this kind"}
}

func semanticWhy(e *json.SemanticError) string {
	what := map[jsontext.Kind]string{
		'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '{': "an object", '[': "an array",
	}[e.JSONKind]
	if what == "" {
		what = "this value"
	}
	if e.GoType == reflect.TypeFor[resource.Quantity]() {
		return "must be a quantity such as 10Gi"
	}
	why := "cannot be " + what
	if e.GoType != nil {
		switch e.GoType.Kind() {
		case reflect.String:
			why += ", must be a string"
		case reflect.Bool:
			why += ", must be true or false"
		case reflect.Int, reflect.Int32, reflect.Int64:
			why = "must be a whole number of 64 bits"
		case reflect.Slice:
			why += ", must be an array"
		case reflect.Struct, reflect.Map, reflect.Pointer:
			why += ", must be an object"
		}
	}
	return why
}
