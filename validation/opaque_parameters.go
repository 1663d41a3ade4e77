package validation

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// maxParameters of a driver, in bytes, and of the data that a driver reports, from 1.32 on.
const maxParameters = 10 * 1024

// tooLarge reports whether parameters pass the limit. What is stored may be older than the limit.
func (w *write) tooLarge(raw []byte) bool {
	return w.release >= release1_32 && !w.contentOnly && passesLimit(raw) && !w.outgrown()
}

// passesLimit counts the shortest spelling. Kubernetes counts the bytes that the client wrote,
// which nobody knows of a custom resource: an API server sends its parameters with <, > and & as
// six bytes each.
func passesLimit(raw []byte) bool {
	if len(raw) <= maxParameters {
		return false
	}
	shortest := kjson.Ordered(raw)
	return len(shortest) == 0 || len(shortest) > maxParameters // nil is beyond all limits, or no JSON
}

// unread reports whether parameters are too large to be looked into. Up to 1.34 an update is judged
// twice, the second time as what is stored, of whatever size it is.
func (w *write) unread(raw []byte) bool {
	return w.tooLarge(raw) && (w.op != Update || w.release >= release1_35)
}

// checkParameters refuses what is not a JSON object (P6). It parses as upstream does, into any, so that a number which
// fits no float64 is refused here as well. Parameters are never shown, and neither are the parser's words about them,
// which could quote some.
func checkParameters(raw []byte, at place, refuse refuser) {
	if isPlainObject(raw) {
		return
	}
	var parameters any
	if len(raw) == 0 {
		refuse(field.Required(at.path(), ""))
	} else if err := json.Unmarshal(raw, &parameters); err != nil {
		refuse(field.Invalid(at.path(), "<value omitted>",
			"error parsing data: not JSON, or with a number out of range"))
	} else if parameters == nil {
		refuse(field.Required(at.path(), ""))
	} else if _, isObject := parameters.(map[string]any); !isObject {
		refuse(field.Invalid(at.path(), "<value omitted>", "parameters must be a valid JSON object"))
	}
}

// isPlainObject reports whether a value is a JSON object whose numbers fit into a float64. What it
// does not take is parsed.
func isPlainObject(raw []byte) bool {
	s := kjson.New(raw)
	if !s.Is('{') {
		return false
	}
	s.Skip()
	return s.AtEnd() && kjson.NumbersFit(raw)
}
