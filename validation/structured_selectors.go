package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// selectorPath is where one selector of one request is.
func (w *write) selectorPath(request, selector int) *field.Path {
	return w.requestsPath().Index(request).Child("selectors").Index(selector)
}

var selectorsAtMost32 = Rule{
	Name:   "selectors-at-most-32",
	Reason: "A request has at most 32 selectors.",
	Source: "Kubernetes 1.31 DS7",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, request := range w.new.structured.Devices.Requests {
			if n := len(request.Selectors); n > v1alpha3.DeviceSelectorsMaxSize {
				refuse(tooManyItems(w.requestField(i, "selectors")(), n, v1alpha3.DeviceSelectorsMaxSize))
			}
		}
	},
}

var selectorHasCEL = Rule{
	Name:   "selector-has-cel",
	Reason: "A selector is a CEL expression; there is no other kind yet.",
	Source: "Kubernetes 1.31 DS8",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, request := range w.new.structured.Devices.Requests {
			for j, selector := range request.Selectors {
				if selector.CEL == nil {
					refuse(field.Required(w.selectorPath(i, j).Child("cel"), ""))
				}
			}
		}
	},
}

// selectorExpressionCompiles leaves the expression out of its errors: the compiler quotes what is wrong with it. It asks
// about all, also about more than a claim can have: what they weigh together is the bound. Where
// Kubernetes 1.31 has no limit, and we cannot afford to compile, an expression that the object has already may stay: else
// nobody could label it or take away its finalizers. The spec does not change in any case.
var selectorExpressionCompiles = Rule{
	Name:   "selector-expression-compiles",
	Reason: "The expression of a selector is CEL as Kubernetes 1.31 knows it, about a device, and evaluates to true or false.",
	Source: "Kubernetes 1.31 DS10",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, request := range w.new.structured.Devices.Requests {
			for j, selector := range request.Selectors {
				if selector.CEL == nil {
					continue
				}
				problem := w.selectors.Problem(selector.CEL.Expression)
				if problem.Type == "" || problem.Unaffordable && w.old.selects(selector.CEL.Expression) {
					continue
				}
				refuse(&field.Error{
					Type: problem.Type, Field: w.selectorPath(i, j).Child("cel", "expression").String(),
					BadValue: field.OmitValueType{}, Detail: problem.Detail,
				})
				if w.selectors.Spent() {
					return // all others have the same problem
				}
			}
		}
	},
}

// selects reports whether an object has a selector.
func (o *object) selects(expression string) bool {
	if o.structured == nil {
		return false
	}
	for _, request := range o.structured.Devices.Requests {
		for _, selector := range request.Selectors {
			if selector.CEL != nil && selector.CEL.Expression == expression {
				return true
			}
		}
	}
	return false
}
