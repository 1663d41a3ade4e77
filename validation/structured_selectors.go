package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/validation/internal/selector"
)

var selectorsAtMost32 = requested.rule("selectors-at-most-32", "What is asked for has at most 32 selectors.",
	"Kubernetes 1.31+ DS7", func(w *write, x *wanted, _ place, refuse refuser) {
		n := len(x.Selectors)
		if n <= v1.DeviceSelectorsMaxSize {
			return
		}
		at, looked := w.covered(x, func(old *v1.DeviceSubRequest) bool {
			return semantic.DeepEqual(old.Selectors, x.Selectors)
		})
		if looked {
			refuse(w.tooMany(at.path().Child("selectors"), n, v1.DeviceSelectorsMaxSize))
		}
	})

// selectors to judge.
var selectors = items[*v1.DeviceSelector]{asked: onSpec, each: func(w *write, check check[*v1.DeviceSelector],
	refuse refuser,
) {
	for i := range w.wanted() {
		if x := &w.all[i]; x.handwritten {
			checkList(w, judged(w, x.Selectors, v1.DeviceSelectorsMaxSize), placeOf(x.path).child("selectors"), check,
				refuse)
		}
	}
}}

var selectorHasCEL = selectors.rule("selector-has-cel", "A selector is a CEL expression; there is no other kind yet.",
	"Kubernetes 1.31+ DS8", func(_ *write, s *v1.DeviceSelector, at place, refuse refuser) {
		if s.CEL == nil {
			refuse(field.Required(at.path().Child("cel"), ""))
		}
	})

var selectorExpressionAtMost10KiB = newer(selectors.rule("selector-expression-at-most-10-kib",
	"The expression of a selector has at most 10,240 bytes; a longer one is not compiled.",
	"Kubernetes 1.32+ DS9", func(_ *write, s *v1.DeviceSelector, at place, refuse refuser) {
		if s.CEL != nil && len(s.CEL.Expression) > selector.MaxLength {
			refuse(field.TooLong(at.path().Child("cel", "expression"), "", selector.MaxLength))
		}
	}))

// selectorExpressionCompiles leaves the expression out of its errors: the compiler quotes what is
// wrong with it. It asks about all, also about more than a claim can have: what they weigh together
// is the bound. Where Kubernetes 1.31 has no limit, and we cannot afford to compile, an expression
// that the object has already may stay: else nobody could label it or take away its finalizers. The
// spec does not change in any case.
var selectorExpressionCompiles = Rule{
	Name: "selector-expression-compiles",
	Reason: "The expression of a selector is CEL as the release knows it, about a device, and evaluates to true or " +
		"false.",
	Source: "Kubernetes 1.31+ DS10",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		done := false
		selectors.each(w, func(w *write, s *v1.DeviceSelector, at place, refuse refuser) {
			if done || s.CEL == nil || w.release >= release1_32 && len(s.CEL.Expression) > selector.MaxLength {
				return
			}
			problem := w.problem(s.CEL.Expression)
			if problem.Type == "" || problem.Costly || problem.Unaffordable && w.old.selects(s.CEL.Expression) {
				return
			}
			refuse(refusedExpression(at.path().Child("cel", "expression"), problem))
			done = w.selectors.Spent() // all others have the same problem
		}, refuse)
	},
}

var selectorExpressionIsCheap = Rule{
	Name:   "selector-expression-is-cheap",
	Reason: "The expression of a selector costs at most 1,000,000 by the estimate of CEL.",
	Source: "Kubernetes 1.32+ DS11",
	asked:  onSpec,
	ofNew:  true,
	check: func(w *write, refuse refuser) {
		done := false
		selectors.each(w, func(w *write, s *v1.DeviceSelector, at place, refuse refuser) {
			if done || s.CEL == nil || len(s.CEL.Expression) > selector.MaxLength {
				return
			}
			if problem := w.problem(s.CEL.Expression); problem.Costly {
				refuse(field.Forbidden(at.path().Child("cel", "expression"), problem.Detail))
			}
			done = w.selectors.Spent()
		}, refuse)
	},
}

// problem with an expression in the release. What is stored may be of 1.31 or later: any release
// that takes it will do, and what sent it there has been asked before.
func (w *write) problem(expression string) selector.Problem {
	if !w.contentOnly {
		return w.selectors.Problem(expression, int(w.release))
	}
	if problem := w.selectors.Problem(expression, int(release1_31)); problem.Type == "" {
		return problem
	}
	return w.selectors.Problem(expression, int(w.release))
}

// refusedExpression leaves the expression out: it may be long, and the detail quotes what is wrong with it.
func refusedExpression(at *field.Path, problem selector.Problem) *field.Error {
	return &field.Error{Type: problem.Type, Field: at.String(), BadValue: field.OmitValueType{}, Detail: problem.Detail}
}

// selects reports whether an object has a selector.
func (o *object) selects(expression string) bool {
	if o.structured == nil {
		return false
	}
	is := func(s v1.DeviceSelector) bool { return s.CEL != nil && s.CEL.Expression == expression }
	return slices.ContainsFunc(o.structured.Devices.Requests, func(r v1.DeviceRequest) bool {
		return r.Exactly != nil && slices.ContainsFunc(r.Exactly.Selectors, is) ||
			slices.ContainsFunc(r.FirstAvailable, func(a v1.DeviceSubRequest) bool {
				return slices.ContainsFunc(a.Selectors, is)
			})
	})
}
