package validation

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/validation/internal/selector"
)

var selectorsAtMost32 = Rule{
	Name:   "selectors-at-most-32",
	Reason: "What is asked for has at most 32 selectors.",
	Source: "Kubernetes 1.31+ DS7",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for _, x := range w.wanted() {
			n := len(x.Selectors)
			if n <= v1.DeviceSelectorsMaxSize {
				continue
			}
			at := w.covered(x, "selectors", func(old *v1.DeviceSubRequest) bool { return semantic.DeepEqual(old.Selectors, x.Selectors) })
			if at != nil {
				refuse(w.tooMany(at, n, v1.DeviceSelectorsMaxSize))
			}
		}
	},
}

// selectors to judge, with their places.
func (w *write) selectorsOf() iter.Seq2[*v1.DeviceSelector, func() *field.Path] {
	return func(yield func(*v1.DeviceSelector, func() *field.Path) bool) {
		for _, x := range w.wanted() {
			if !x.handwritten {
				continue
			}
			list := judged(w, x.Selectors, v1.DeviceSelectorsMaxSize)
			for j := range list {
				if !yield(&list[j], func() *field.Path { return w.wantedField(x, "selectors").Index(j).Child("cel") }) {
					return
				}
			}
		}
	}
}

var selectorHasCEL = Rule{
	Name:   "selector-has-cel",
	Reason: "A selector is a CEL expression; there is no other kind yet.",
	Source: "Kubernetes 1.31+ DS8",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for s, at := range w.selectorsOf() {
			if s.CEL == nil {
				refuse(field.Required(at(), ""))
			}
		}
	},
}

var selectorExpressionAtMost10KiB = Rule{
	Name:   "selector-expression-at-most-10-kib",
	Reason: "The expression of a selector has at most 10,240 bytes; a longer one is not compiled.",
	Source: "Kubernetes 1.32+ DS9",
	asked:  onSpec,
	ofNew:  true,
	check: func(w *write, refuse refuse) {
		for s, at := range w.selectorsOf() {
			if s.CEL != nil && len(s.CEL.Expression) > selector.MaxLength {
				refuse(field.TooLong(at().Child("expression"), "", selector.MaxLength))
			}
		}
	},
}

// selectorExpressionCompiles leaves the expression out of its errors: the compiler quotes what is wrong with it. It asks
// about all, also about more than a claim can have: what they weigh together is the bound. Where Kubernetes 1.31 has no limit,
// and we cannot afford to compile, an expression that the object has already may stay: else nobody could label it or take
// away its finalizers. The spec does not change in any case.
var selectorExpressionCompiles = Rule{
	Name:   "selector-expression-compiles",
	Reason: "The expression of a selector is CEL as the release knows it, about a device, and evaluates to true or false.",
	Source: "Kubernetes 1.31+ DS10",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for s, at := range w.selectorsOf() {
			if s.CEL == nil || w.release >= release1_32 && len(s.CEL.Expression) > selector.MaxLength {
				continue
			}
			problem := w.problem(s.CEL.Expression)
			if problem.Type == "" || problem.Costly || problem.Unaffordable && w.old.selects(s.CEL.Expression) {
				continue
			}
			refuse(&field.Error{
				Type: problem.Type, Field: at().Child("expression").String(), BadValue: field.OmitValueType{}, Detail: problem.Detail,
			})
			if w.selectors.Spent() {
				return // all others have the same problem
			}
		}
	},
}

var selectorExpressionIsCheap = Rule{
	Name:   "selector-expression-is-cheap",
	Reason: "The expression of a selector costs at most 1,000,000 by the estimate of CEL.",
	Source: "Kubernetes 1.32+ DS11",
	asked:  onSpec,
	ofNew:  true,
	check: func(w *write, refuse refuse) {
		for s, at := range w.selectorsOf() {
			if s.CEL == nil || len(s.CEL.Expression) > selector.MaxLength {
				continue
			}
			if problem := w.problem(s.CEL.Expression); problem.Costly {
				refuse(field.Forbidden(at().Child("expression"), problem.Detail))
			}
			if w.selectors.Spent() {
				return
			}
		}
	},
}

// problem with an expression in the release. What is stored may be of 1.31 or later: any release that takes it will do, and
// what sent it there has been asked before.
func (w *write) problem(expression string) selector.Problem {
	if !w.contentOnly {
		return w.selectors.Problem(expression, int(w.release))
	}
	if problem := w.selectors.Problem(expression, int(release1_31)); problem.Type == "" {
		return problem
	}
	return w.selectors.Problem(expression, int(w.release))
}

// selects reports whether an object has a selector.
func (o *object) selects(expression string) bool {
	if o.structured == nil {
		return false
	}
	among := func(selectors []v1.DeviceSelector) bool {
		for _, s := range selectors {
			if s.CEL != nil && s.CEL.Expression == expression {
				return true
			}
		}
		return false
	}
	for _, r := range o.structured.Devices.Requests {
		if r.Exactly != nil && among(r.Exactly.Selectors) {
			return true
		}
		for _, a := range r.FirstAvailable {
			if among(a.Selectors) {
				return true
			}
		}
	}
	return false
}
