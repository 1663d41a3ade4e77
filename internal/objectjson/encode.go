package objectjson

import (
	"errors"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// writeOptions have the semantics of encoding/json for omitempty. Raw values keep their text.
var writeOptions = jsonv2.JoinOptions(
	lenientText,
	jsonv2.Deterministic(true),
	jsontext.PreserveRawStrings(true),
	jsonv1.OmitEmptyWithLegacySemantics(true),
	jsonv2.WithMarshalers(marshalers),
)

// Marshal returns a value, or the value that a pointer points to, as JSON: members in the order of the fields, no white
// space, as few escapes as possible, raw values unchanged except for white space. Every value of a Kubernetes type can
// be written. When a runtime.RawExtension holds a text that is not JSON, the result ends there, and is not JSON either.
func Marshal(from any) []byte {
	text, err := jsonv2.Marshal(from, writeOptions)
	if err != nil && !errors.Is(err, errRawValue) {
		panic(fmt.Sprintf("objectjson: %T cannot be written as JSON: %v", from, err))
	}
	return text
}
