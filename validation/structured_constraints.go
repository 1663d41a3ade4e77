package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

func (w *write) constraintsPath() *field.Path { return w.specPath.Child("devices", "constraints") }

// constraints to judge.
func (w *write) constraints() []v1.DeviceConstraint {
	return judged(w, w.new.structured.Devices.Constraints, v1.DeviceConstraintsMaxSize)
}

var constraintsAtMost32 = atMost(v1.DeviceConstraintsMaxSize, "constraints-at-most-32",
	"A claim has at most 32 constraints.",
	"Kubernetes 1.31+ DS23", onSpec, func(w *write) (int, *field.Path) {
		return len(w.new.structured.Devices.Constraints), w.constraintsPath()
	})

// constraintHasAttribute: 1.34 and 1.35 do not know distinctAttribute by default, as their feature gate is closed.
var constraintHasAttribute = Rule{
	Name:   "constraint-has-attribute",
	Reason: "A constraint is about one attribute that all its devices share, or from 1.36 on about one that is different in all of them.",
	Source: "Kubernetes 1.31 to 1.35 DS26, 1.36+ DS27",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, constraint := range w.constraints() {
			if constraint.MatchAttribute != nil || constraint.DistinctAttribute != nil {
				continue
			}
			at := w.constraintsPath().Index(i)
			if w.release >= release1_36 {
				refuse(field.Required(at, "one of `matchAttribute` and `distinctAttribute` is required"))
			} else {
				refuse(field.Required(at.Child("matchAttribute"), ""))
			}
		}
	},
}

// constraintAttributeIsQualified: up to 1.36 a distinctAttribute beside a matchAttribute is not looked at, in 1.37 only the
// declarative checks do. They alone refuse capitals in a domain.
var constraintAttributeIsQualified = Rule{
	Name:   "constraint-attribute-is-qualified",
	Reason: "The attribute of a constraint is named in full: domain/identifier.",
	Source: "Kubernetes 1.31+ DS29",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		declared := w.declares() && (w.old.structured == nil ||
			!semantic.DeepEqual(w.old.structured.Devices.Constraints, w.new.structured.Devices.Constraints))
		check := func(name *v1.FullyQualifiedName, handwritten bool, at func() *field.Path) {
			if name == nil || !handwritten && !declared {
				return
			}
			w.checkFullyQualifiedName(string(*name), at, refuse)
			if declared {
				w.checkLowerDomain(string(*name), at, refuse)
			}
		}
		for i, c := range w.constraints() {
			check(c.MatchAttribute, true, func() *field.Path { return w.constraintsPath().Index(i).Child("matchAttribute") })
			check(c.DistinctAttribute, c.MatchAttribute == nil, func() *field.Path { return w.constraintsPath().Index(i).Child("distinctAttribute") })
		}
	},
}
