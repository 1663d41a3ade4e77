package validation

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkParameters refuses what is not a JSON object (P6). It parses as upstream does, into any, so that a number which
// fits no float64 is refused here as well. Parameters are never shown, and neither are the parser's words about them,
// which could quote some.
func checkParameters(raw []byte, at func() *field.Path, refuse refuse) {
	var parameters any
	if len(raw) == 0 {
		refuse(field.Required(at(), ""))
	} else if err := json.Unmarshal(raw, &parameters); err != nil {
		refuse(field.Invalid(at(), "<value omitted>", "error parsing data: not JSON, or with a number out of range"))
	} else if parameters == nil {
		refuse(field.Required(at(), ""))
	} else if _, isObject := parameters.(map[string]any); !isObject {
		refuse(field.Invalid(at(), "<value omitted>", "parameters must be a valid JSON object"))
	}
}
