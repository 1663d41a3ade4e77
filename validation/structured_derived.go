package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/validation/internal/selector"
)

// Derived attributes came with 1.37, whose API server drops them unless its feature gate is open or the object has some
// already, which here is the template that is updated.

func sameDerived(x *wanted) func(*v1.DeviceSubRequest) bool {
	return func(old *v1.DeviceSubRequest) bool {
		return semantic.DeepEqual(old.DerivedAttributes, x.DerivedAttributes)
	}
}

var derivedAttributesAtMost32 = requested.rule("derived-attributes-at-most-32",
	"What is asked for has at most 32 derived attributes.",
	"Kubernetes 1.37+ DS39", func(w *write, x *wanted, _ place, refuse refuser) {
		if n := len(x.DerivedAttributes); n > v1.DeviceDerivedAttributesMaxSize && x.declares(sameDerived(x)) {
			refuse(field.TooMany(w.declaredPlaceOf(x).child("derivedAttributes").path(), n,
				v1.DeviceDerivedAttributesMaxSize))
		}
	})

var derivedAttributesAreUnique = handwritten.rule("derived-attributes-are-unique",
	"Derived attributes are told apart by their names.",
	"Kubernetes 1.37+ DS39", func(_ *write, x *wanted, at place, refuse refuser) {
		for k := range repeatedBy(x.DerivedAttributes, func(a *v1.DeviceDerivedAttribute) v1.FullyQualifiedName {
			return a.Name
		}) {
			refuse(field.Duplicate(at.path().Child("derivedAttributes").Index(k),
				shown(string(x.DerivedAttributes[k].Name))))
		}
	})

var derivedAttributeIsComplete = requested.rule("derived-attribute-is-complete",
	"A derived attribute has a name in full, domain/identifier, and an expression.",
	"Kubernetes 1.37+ DS39", func(w *write, x *wanted, _ place, refuse refuser) {
		if len(x.DerivedAttributes) > v1.DeviceDerivedAttributesMaxSize || !x.declares(sameDerived(x)) {
			return
		}
		for k, a := range x.DerivedAttributes {
			at := w.declaredPlaceOf(x).child("derivedAttributes").index(k)
			name := at.child("name")
			if a.Name == "" {
				refuse(field.Required(name.path(), ""))
			} else {
				w.checkFullyQualifiedName(string(a.Name), name, refuse)
				w.checkLowerDomain(string(a.Name), name, refuse)
			}
			if a.Expression == "" {
				refuse(field.Required(at.path().Child("expression"), ""))
			}
		}
	})

var derivedAttributeIsConstrained = Rule{
	Name:   "derived-attribute-is-constrained",
	Reason: "A derived attribute is what a constraint of its request, or of all requests, compares.",
	Source: "Kubernetes 1.37+ DS39",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		compared := w.comparedAttributes()
		handwritten.each(w, func(w *write, x *wanted, at place, refuse refuser) {
			request := w.requests()[x.request].Name
			for k, a := range x.DerivedAttributes {
				name := string(a.Name)
				if name == "" || compared[[2]string{"", name}] || compared[[2]string{request, name}] ||
					x.alternative >= 0 && compared[[2]string{request + "/" + x.Name, name}] {
					continue
				}
				refuse(invalidName(at.path().Child("derivedAttributes").Index(k).Child("name"), name,
					"must be referenced by at least one matchAttribute or distinctAttribute constraint targeting "+
						"this request"))
			}
		}, refuse)
	},
}

// comparedAttributes by the request whose devices are compared, "" for all, and the attribute.
func (w *write) comparedAttributes() map[[2]string]bool {
	compared := map[[2]string]bool{}
	for _, c := range w.new.structured.Devices.Constraints {
		name := c.MatchAttribute
		if name == nil {
			name = c.DistinctAttribute
		}
		if name == nil {
			continue
		}
		if len(c.Requests) == 0 {
			compared[[2]string{"", string(*name)}] = true
		}
		for _, request := range c.Requests {
			compared[[2]string{request, string(*name)}] = true
		}
	}
	return compared
}

var derivedAttributeCompiles = Rule{
	Name: "derived-attribute-compiles",
	Reason: "A derived attribute is CEL about a device that gives an attribute's value, in at most 10,240 bytes; all " +
		"of a claim cost at most 1,000,000.",
	Source: "Kubernetes 1.37+ DS40",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		var total uint64
		for _, x := range w.wanted() {
			if !x.handwritten {
				continue
			}
			for k, a := range x.DerivedAttributes {
				if a.Expression == "" {
					continue
				}
				at := placeOf(x.path).child("derivedAttributes").index(k).child("expression")
				if len(a.Expression) > selector.MaxLength {
					refuse(field.TooLong(at.path(), "", selector.MaxLength))
					continue
				}
				problem := w.selectors.ProblemOfAttribute(a.Expression, int(w.release))
				total += problem.Cost // which may wrap around, as upstream's sum does
				if problem.Type != "" {
					refuse(refusedExpression(at.path(), problem))
				}
				if w.selectors.Spent() {
					return
				}
			}
		}
		if total > selector.MaxCost {
			refuse(field.Forbidden(w.specPath.Child("devices"),
				"too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit"))
		}
	},
}
