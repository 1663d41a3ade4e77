package validation

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// configRules are about the configuration of claims and of allocations.
var configRules = []Rule{
	{
		Name:       "config-at-most-32",
		Reason:     "A claim has at most 32 entries of configuration.",
		Source:     "Kubernetes 1.31+ DS30",
		Since:      release1_31,
		operations: onSpec,
		check: func(in *input) field.ErrorList {
			n := len(in.new.spec.Devices.Config)
			return in.validateLength(n, v1.DeviceConfigMaxSize, in.paths.devices.Child("config"))
		},
	},
	{
		Name:       "config-has-opaque",
		Reason:     "An entry of configuration, in a claim or an allocation, is opaque. There is no other kind.",
		Source:     "Kubernetes 1.31+ DS32 DT21",
		Since:      release1_31,
		operations: onAny,
		check: func(in *input) (errs field.ErrorList) {
			for path, c := range in.configs() {
				if c.opaque == nil {
					errs = add(errs, field.Required(path.Child("opaque"), ""))
				}
			}
			return errs
		},
	},
	{
		Name:       "config-driver-is-valid",
		Reason:     "Opaque configuration has the name of its driver.",
		Source:     "Kubernetes 1.31+ DS33 DT21",
		Since:      release1_31,
		operations: onAny,
		check: func(in *input) (errs field.ErrorList) {
			for path, c := range in.configs() {
				if c.opaque != nil {
					errs = add(errs, in.validateDriverName(c.opaque.Driver, path.Child("opaque", "driver"))...)
				}
			}
			return errs
		},
	},
	{
		Name:         "config-parameters-at-most-10-kib",
		Reason:       "The parameters of opaque configuration have at most 10,240 bytes. Larger parameters are not parsed.",
		Source:       "Kubernetes 1.32+ DS34 DT21",
		Since:        release1_32,
		isNewerLimit: true,
		operations:   onAny,
		check: func(in *input) (errs field.ErrorList) {
			for path, c := range in.configs() {
				if c.opaque != nil && in.exceedsParameterLimit(c.opaque.Parameters.Raw) {
					errs = add(errs, field.TooLong(path.Child("opaque", "parameters"), "", maxParameters))
				}
			}
			return errs
		},
	},
	{
		Name:       "config-parameters-are-an-object",
		Reason:     "The parameters of opaque configuration are a JSON object.",
		Source:     "Kubernetes 1.31+ DS34 DT21",
		Since:      release1_31,
		operations: onAny,
		check: func(in *input) (errs field.ErrorList) {
			for path, c := range in.configs() {
				if c.opaque != nil && !in.skipsParameters(c.opaque.Parameters.Raw) {
					errs = add(errs, validateParameters(c.opaque.Parameters.Raw, path.Child("opaque", "parameters"))...)
				}
			}
			return errs
		},
	},
}

// maxParameters is the maximum size in bytes of the parameters of a driver, and of the data that a driver reports,
// since 1.32.
const maxParameters = 10 * 1024

// exceedsParameterLimit reports whether parameters exceed the limit of the release. Stored objects may be older than
// the limit.
func (in *input) exceedsParameterLimit(raw []byte) bool {
	return in.release.hasParameterLimit() && !in.mode.contentOnly && isLongerThanLimit(raw) &&
		!in.isUnchangedTemplate()
}

// isLongerThanLimit measures the shortest encoding. Kubernetes measures the bytes that the client wrote, which are
// unknown for a custom resource: an API server sends <, > and & in parameters as six bytes each.
func isLongerThanLimit(raw []byte) bool {
	if len(raw) <= maxParameters {
		return false
	}
	shortest := objectjson.CanonicalWithDigits(raw)
	return len(shortest) == 0 || len(shortest) > maxParameters // empty for invalid JSON, or beyond all limits
}

// skipsParameters reports whether parameters are too large to be parsed.
func (in *input) skipsParameters(raw []byte) bool {
	if in.operation == Update && in.release.validatesStoredParameters() {
		return false
	}
	return in.exceedsParameterLimit(raw)
}

// validateParameters rejects what is not a JSON object (P6). Like upstream it parses numbers, so that one beyond a
// float64 is rejected. Errors contain neither the parameters nor the parser's message, which could quote some.
func validateParameters(raw []byte, path *field.Path) field.ErrorList {
	if isObjectInRange(raw) {
		return nil
	}
	if len(raw) == 0 {
		return field.ErrorList{field.Required(path, "")}
	}
	var parameters any
	if err := json.Unmarshal(raw, &parameters); err != nil {
		return field.ErrorList{field.Invalid(path, "<value omitted>",
			"is not JSON, or has a number outside the range of a float64")}
	}
	if parameters == nil {
		return field.ErrorList{field.Required(path, "")}
	}
	if _, isObject := parameters.(map[string]any); !isObject {
		return field.ErrorList{field.Invalid(path, "<value omitted>", "parameters must be a valid JSON object")}
	}
	return nil
}

// isObjectInRange reports whether a value is a JSON object whose numbers fit into a float64. It is a fast check that
// may be false for some of these objects, which are then parsed.
func isObjectInRange(raw []byte) bool {
	s := objectjson.NewScanner(raw)
	if !s.Is('{') {
		return false
	}
	s.Skip()
	return s.AtEnd() && objectjson.NumbersFit(raw)
}
