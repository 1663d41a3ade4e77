package kjson

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	corev1 "k8s.io/api/core/v1"
	apijson "sigs.k8s.io/json"
)

// strictly is how input is read at first: anything but clean JSON of known fields is an error, and then the API
// server's own decoder decides.
var strictly = json.JoinOptions(json.RejectUnknownMembers(true))

// plainly is how whole objects are written: as encoding/json would, but without HTML escapes, and with raw values untouched.
var plainly = json.JoinOptions(
	jsonv1.OmitEmptyWithLegacySemantics(true),
	jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true),
	jsontext.PreserveRawStrings(true),
	json.Deterministic(true),
	json.WithMarshalers(json.MarshalToFunc(writeNodeSelector)),
)

// writeNodeSelector leaves out terms that are not there, which upstream's type would write as null.
func writeNodeSelector(enc *jsontext.Encoder, s corev1.NodeSelector) error {
	return json.MarshalEncode(enc, struct {
		Terms []corev1.NodeSelectorTerm `json:"nodeSelectorTerms,omitempty"`
	}{s.NodeSelectorTerms})
}

// Marshal writes a typed object; such an object can always be written.
func Marshal(v any) []byte {
	out, err := json.Marshal(v, plainly)
	if err != nil {
		panic(fmt.Sprintf("kjson: %T cannot be written as JSON: %v", v, err))
	}
	return out
}

// Decode reads JSON into a pointer as kube-apiserver does: keys are case-sensitive, integers stay integers, the last
// of duplicate fields counts, unknown fields are dropped. What the pointer held before is gone. It returns the paths of
// unknown and duplicate fields; an error is a *DecodeError that names the field. A value that is bigger than any that an
// API server stores is one, before it is built.
func Decode(data []byte, into any) (unknown []string, err error) {
	reflect.ValueOf(into).Elem().SetZero()
	if err := checkBounds(data, reflect.TypeOf(into)); err != nil {
		return nil, err
	}
	if json.Unmarshal(data, into, strictly) == nil {
		return nil, nil
	}
	reflect.ValueOf(into).Elem().SetZero()
	strict, err := apijson.UnmarshalStrict(data, into)
	if err != nil {
		return nil, explainDecode(data, into, err)
	}
	for _, e := range strict {
		unknown = append(unknown, strictPath(e))
	}
	return unknown, nil
}

// DecodeStrictly reads what is ours into a value that is zero: nothing that is unknown or there twice is let pass.
func DecodeStrictly(data []byte, into any) bool {
	return checkBounds(data, reflect.TypeOf(into)) == nil && json.Unmarshal(data, into, strictly) == nil
}

// strictPath cuts the path out of an error like: unknown field "devices.requests[0].foo".
func strictPath(err error) string {
	text := err.Error()
	if i, j := strings.IndexByte(text, '"'), strings.LastIndexByte(text, '"'); 0 <= i && i < j {
		if path, err := strconv.Unquote(text[i : j+1]); err == nil {
			return path
		}
	}
	return text
}
