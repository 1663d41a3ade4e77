package validation

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/validation/cel"
)

// selectorRules are about the selectors of requests.
var selectorRules = []Rule{
	{
		Name:       "selectors-at-most-32",
		Reason:     "A request or alternative has at most 32 selectors.",
		Source:     "Kubernetes 1.31+ DS7",
		Since:      release1_31,
		operations: onSpec,
		check: func(in *input) (errs field.ErrorList) {
			for _, r := range in.declarativeSubRequests {
				if n := len(r.Selectors); n > v1.DeviceSelectorsMaxSize {
					path := r.path.Child("selectors")
					errs = add(errs, in.validateLength(n, v1.DeviceSelectorsMaxSize, path)...)
				}
			}
			return errs
		},
	},
	{
		Name:       "selector-has-cel",
		Reason:     "A selector is a CEL expression. There is no other kind.",
		Source:     "Kubernetes 1.31+ DS8",
		Since:      release1_31,
		operations: onSpec,
		check: func(in *input) (errs field.ErrorList) {
			for path, selector := range in.selectors() {
				if selector.CEL == nil {
					errs = add(errs, field.Required(path.Child("cel"), ""))
				}
			}
			return errs
		},
	},
	{
		Name:         "selector-expression-at-most-10-kib",
		Reason:       "The expression of a selector has at most 10,240 bytes. A longer one is not compiled.",
		Source:       "Kubernetes 1.32+ DS9",
		Since:        release1_32,
		isNewerLimit: true,
		operations:   onSpec,
		check: func(in *input) (errs field.ErrorList) {
			for path, selector := range in.selectors() {
				if selector.CEL != nil && len(selector.CEL.Expression) > cel.MaxLength {
					errs = add(errs, field.TooLong(path.Child("cel", "expression"), "", cel.MaxLength))
				}
			}
			return errs
		},
	},
	{
		Name:       "selector-expression-compiles",
		Reason:     "The expression of a selector is CEL of the release, can use the device, and returns true or false.",
		Source:     "Kubernetes 1.31+ DS10",
		Since:      release1_31,
		operations: onSpec,
		check:      checkExpressionsCompile,
	},
	{
		Name:         "selector-expression-is-cheap",
		Reason:       "The expression of a selector costs at most 1,000,000 by the estimate of CEL.",
		Source:       "Kubernetes 1.32+ DS11",
		Since:        release1_32,
		isNewerLimit: true,
		operations:   onSpec,
		check:        checkExpressionsAreCheap,
	},
}

// selectors returns the selectors that are validated, with their paths.
func (in *input) selectors() iter.Seq2[*field.Path, *v1.DeviceSelector] {
	return func(yield func(*field.Path, *v1.DeviceSelector) bool) {
		for _, r := range in.subRequests {
			selectors := validatedItems(in, r.Selectors, v1.DeviceSelectorsMaxSize)
			for i := range selectors {
				if !yield(r.path.Child("selectors").Index(i), &selectors[i]) {
					return
				}
			}
		}
	}
}

// checkExpressionsCompile also compiles the expressions of a claim that has too many, because [cel.Checker] limits
// their total weight. An expression that exceeds a limit of [cel.Checker] is accepted if the old object has it:
// Kubernetes
// 1.31 has no limits and may have accepted it, and otherwise clients could neither label the object nor remove its
// finalizers. The spec does not change in any case.
func checkExpressionsCompile(in *input) (errs field.ErrorList) {
	for path, selector := range in.selectors() {
		if selector.CEL == nil ||
			in.release.hasExpressionLimits() && len(selector.CEL.Expression) > cel.MaxLength {
			continue
		}
		result := in.compile(selector.CEL.Expression)
		if result.Type == "" || result.ExceedsCost ||
			result.ExceedsLimit && in.old.hasExpression(selector.CEL.Expression) {
			continue
		}
		errs = add(errs, expressionError(path.Child("cel", "expression"), result))
		if in.expressions.Exhausted() {
			return errs // all other expressions would have the same error
		}
	}
	return errs
}

func checkExpressionsAreCheap(in *input) (errs field.ErrorList) {
	for path, selector := range in.selectors() {
		if selector.CEL == nil || len(selector.CEL.Expression) > cel.MaxLength {
			continue
		}
		if result := in.compile(selector.CEL.Expression); result.ExceedsCost {
			errs = add(errs, field.Forbidden(path.Child("cel", "expression"), result.Detail))
		}
		if in.expressions.Exhausted() {
			return errs
		}
	}
	return errs
}

// compile compiles an expression as the release does. The expression of a write as stored may be older than the
// release, so it is also accepted if it compiles in 1.31.
func (in *input) compile(expression string) cel.Result {
	if in.mode.contentOnly {
		if result := in.expressions.CheckSelector(expression, int(release1_31)); result.Type == "" {
			return result
		}
	}
	return in.expressions.CheckSelector(expression, int(in.release))
}

// expressionError returns the error for an expression. It omits the expression, which may be long: the detail quotes
// the part that is wrong.
func expressionError(path *field.Path, result cel.Result) *field.Error {
	return &field.Error{
		Type: result.Type, Field: path.String(), BadValue: field.OmitValueType{}, Detail: result.Detail,
	}
}

// hasExpression reports whether an object has a selector with an expression.
func (o *object) hasExpression(expression string) bool {
	if o.spec == nil {
		return false
	}
	hasIt := func(s v1.DeviceSelector) bool { return s.CEL != nil && s.CEL.Expression == expression }
	return slices.ContainsFunc(o.spec.Devices.Requests, func(r v1.DeviceRequest) bool {
		return r.Exactly != nil && slices.ContainsFunc(r.Exactly.Selectors, hasIt) ||
			slices.ContainsFunc(r.FirstAvailable, func(a v1.DeviceSubRequest) bool {
				return slices.ContainsFunc(a.Selectors, hasIt)
			})
	})
}
