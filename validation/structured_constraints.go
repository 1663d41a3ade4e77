package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

func (w *write) constraintsPlace() place { return w.devicesPlace("constraints") }

// constraints to judge.
var constraints = items[*v1.DeviceConstraint]{asked: onSpec, each: func(w *write, check check[*v1.DeviceConstraint],
	refuse refuser,
) {
	checkList(w, judged(w, w.new.structured.Devices.Constraints, v1.DeviceConstraintsMaxSize), w.constraintsPlace(),
		check, refuse)
}}

var constraintsAtMost32 = atMost(v1.DeviceConstraintsMaxSize, "constraints-at-most-32",
	"A claim has at most 32 constraints.",
	"Kubernetes 1.31+ DS23", onSpec, func(w *write) (int, place) {
		return len(w.new.structured.Devices.Constraints), w.constraintsPlace()
	})

// constraintHasAttribute: 1.34 and 1.35 do not know distinctAttribute by default, as their feature gate is closed.
var constraintHasAttribute = constraints.rule("constraint-has-attribute",
	"A constraint is about one attribute that all its devices share, or from 1.36 on about one that is different in "+
		"all of them.",
	"Kubernetes 1.31 to 1.35 DS26, 1.36+ DS27", func(w *write, c *v1.DeviceConstraint, at place, refuse refuser) {
		switch {
		case c.MatchAttribute != nil || c.DistinctAttribute != nil:
		case w.release >= release1_36:
			refuse(field.Required(at.path(), "one of `matchAttribute` and `distinctAttribute` is required"))
		default:
			refuse(field.Required(at.path().Child("matchAttribute"), ""))
		}
	})

// constraintAttributeIsQualified: up to 1.36 a distinctAttribute beside a matchAttribute is not
// looked at, in 1.37 only the declarative checks do. They alone refuse capitals in a domain.
var constraintAttributeIsQualified = Rule{
	Name:   "constraint-attribute-is-qualified",
	Reason: "The attribute of a constraint is named in full: domain/identifier.",
	Source: "Kubernetes 1.31+ DS29",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		declared := w.declares() && (w.old.structured == nil ||
			!semantic.DeepEqual(w.old.structured.Devices.Constraints, w.new.structured.Devices.Constraints))
		check := func(name *v1.FullyQualifiedName, handwritten bool, parent place, member string) {
			if name == nil || !handwritten && !declared {
				return
			}
			at := parent.child(member)
			w.checkFullyQualifiedName(string(*name), at, refuse)
			if declared {
				w.checkLowerDomain(string(*name), at, refuse)
			}
		}
		constraints.each(w, func(_ *write, c *v1.DeviceConstraint, at place, _ refuser) {
			check(c.MatchAttribute, true, at, "matchAttribute")
			check(c.DistinctAttribute, c.MatchAttribute == nil, at, "distinctAttribute")
		}, refuse)
	},
}
