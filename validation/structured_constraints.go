package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

func (w *write) constraintsPath() *field.Path { return w.specPath.Child("devices", "constraints") }

var constraintsAtMost32 = Rule{
	Name:   "constraints-at-most-32",
	Reason: "A claim has at most 32 constraints.",
	Source: "Kubernetes 1.31 DS23",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		if n := len(w.new.structured.Devices.Constraints); n > v1alpha3.DeviceConstraintsMaxSize {
			refuse(tooManyItems(w.constraintsPath(), n, v1alpha3.DeviceConstraintsMaxSize))
		}
	},
}

var constraintHasMatchAttribute = Rule{
	Name:   "constraint-has-match-attribute",
	Reason: "A constraint is about one attribute that all its devices share, named in full: domain/identifier.",
	Source: "Kubernetes 1.31 DS26 DS29",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, constraint := range w.new.structured.Devices.Constraints {
			at := func() *field.Path { return w.constraintsPath().Index(i).Child("matchAttribute") }
			if constraint.MatchAttribute == nil {
				refuse(field.Required(at(), ""))
			} else {
				checkFullyQualifiedName(string(*constraint.MatchAttribute), at, refuse)
			}
		}
	},
}
