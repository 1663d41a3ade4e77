package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/validation/internal/selector"
)

// Derived attributes came with 1.37, whose API server drops them unless its feature gate is open or the object has some
// already, which here is the template that is updated.

func sameDerived(x wanted) func(*v1.DeviceSubRequest) bool {
	return func(old *v1.DeviceSubRequest) bool {
		return semantic.DeepEqual(old.DerivedAttributes, x.DerivedAttributes)
	}
}

// ofEachDeriving is a rule about the derived attributes of one thing that is asked for, whatever those of others are.
func ofEachDeriving(name, reason string, check func(w *write, x wanted, refuse refuse)) Rule {
	return Rule{Name: name, Reason: reason, Source: "Kubernetes 1.37+ DS39", asked: onSpec, check: func(w *write, refuse refuse) {
		for _, x := range w.wanted() {
			check(w, x, refuse)
		}
	}}
}

var derivedAttributesAtMost32 = ofEachDeriving("derived-attributes-at-most-32", "What is asked for has at most 32 derived attributes.",
	func(w *write, x wanted, refuse refuse) {
		if n := len(x.DerivedAttributes); n > v1.DeviceDerivedAttributesMaxSize && x.declares(sameDerived(x)) {
			refuse(field.TooMany(w.declaredField(x, "derivedAttributes"), n, v1.DeviceDerivedAttributesMaxSize))
		}
	})

var derivedAttributesAreUnique = ofEachDeriving("derived-attributes-are-unique", "Derived attributes are told apart by their names.",
	func(w *write, x wanted, refuse refuse) {
		if !x.handwritten {
			return
		}
		for k := range repeatedBy(x.DerivedAttributes, func(a *v1.DeviceDerivedAttribute) v1.FullyQualifiedName { return a.Name }) {
			refuse(field.Duplicate(w.wantedField(x, "derivedAttributes").Index(k), shown(string(x.DerivedAttributes[k].Name))))
		}
	})

var derivedAttributeIsComplete = ofEachDeriving("derived-attribute-is-complete", "A derived attribute has a name in full, domain/identifier, and an expression.",
	func(w *write, x wanted, refuse refuse) {
		if len(x.DerivedAttributes) > v1.DeviceDerivedAttributesMaxSize || !x.declares(sameDerived(x)) {
			return
		}
		for k, a := range x.DerivedAttributes {
			at := func() *field.Path { return w.declaredField(x, "derivedAttributes").Index(k).Child("name") }
			if a.Name == "" {
				refuse(field.Required(at(), ""))
			} else {
				w.checkFullyQualifiedName(string(a.Name), at, refuse)
				w.checkLowerDomain(string(a.Name), at, refuse)
			}
			if a.Expression == "" {
				refuse(field.Required(w.declaredField(x, "derivedAttributes").Index(k).Child("expression"), ""))
			}
		}
	})

var derivedAttributeIsConstrained = Rule{
	Name:   "derived-attribute-is-constrained",
	Reason: "A derived attribute is what a constraint of its request, or of all requests, compares.",
	Source: "Kubernetes 1.37+ DS39",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		compared := w.comparedAttributes()
		for _, x := range w.wanted() {
			if !x.handwritten {
				continue
			}
			request := w.requests()[x.request].Name
			for k, a := range x.DerivedAttributes {
				name := string(a.Name)
				if name == "" || compared[[2]string{"", name}] || compared[[2]string{request, name}] ||
					x.alternative >= 0 && compared[[2]string{request + "/" + x.Name, name}] {
					continue
				}
				refuse(invalidName(w.wantedField(x, "derivedAttributes").Index(k).Child("name"), name,
					"must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request"))
			}
		}
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
	Name:   "derived-attribute-compiles",
	Reason: "A derived attribute is CEL about a device that gives an attribute's value, in at most 10,240 bytes; all of a claim cost at most 1,000,000.",
	Source: "Kubernetes 1.37+ DS40",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		var total uint64
		for _, x := range w.wanted() {
			if !x.handwritten {
				continue
			}
			for k, a := range x.DerivedAttributes {
				if a.Expression == "" {
					continue
				}
				at := func() *field.Path { return w.wantedField(x, "derivedAttributes").Index(k).Child("expression") }
				if len(a.Expression) > selector.MaxLength {
					refuse(field.TooLong(at(), "", selector.MaxLength))
					continue
				}
				problem := w.selectors.ProblemOfAttribute(a.Expression, int(w.release))
				total += problem.Cost // which may wrap around, as upstream's sum does
				if problem.Type != "" {
					refuse(&field.Error{Type: problem.Type, Field: at().String(), BadValue: field.OmitValueType{}, Detail: problem.Detail})
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
