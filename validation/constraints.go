package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// constraintRules are about spec.devices.constraints.
var constraintRules = []Rule{
	{
		Name:       "constraints-at-most-32",
		Reason:     "A claim has at most 32 constraints.",
		Source:     "Kubernetes 1.31+ DS23",
		Since:      release1_31,
		operations: onSpec,
		check: func(in *input) field.ErrorList {
			n := len(in.new.spec.Devices.Constraints)
			return in.validateLength(n, v1.DeviceConstraintsMaxSize, in.paths.devices.Child("constraints"))
		},
	},
	{
		Name: "constraint-has-attribute",
		Reason: "A constraint has an attribute that is the same for all its devices or, since 1.36, one that is " +
			"different for each device.",
		Source:     "Kubernetes 1.31 to 1.35 DS26, 1.36+ DS27",
		Since:      release1_31,
		operations: onSpec,
		check:      checkConstraintsHaveAttributes,
	},
	{
		Name:       "constraint-attribute-is-qualified",
		Reason:     "The attribute of a constraint is a fully qualified name: domain/identifier.",
		Source:     "Kubernetes 1.31+ DS29",
		Since:      release1_31,
		operations: onSpec,
		check:      checkConstraintAttributes,
	},
}

func checkConstraintsHaveAttributes(in *input) (errs field.ErrorList) {
	for i, c := range in.constraints() {
		switch {
		case c.MatchAttribute != nil || c.DistinctAttribute != nil:
		case in.release.hasDistinctAttribute():
			errs = add(errs, field.Required(in.constraintPath(i),
				"one of `matchAttribute` and `distinctAttribute` is required"))
		default:
			errs = add(errs, field.Required(in.constraintPath(i).Child("matchAttribute"), ""))
		}
	}
	return errs
}

// checkConstraintAttributes skips a distinctAttribute next to a matchAttribute up to 1.36. In 1.37 declarative
// validation covers it, and rejects capitals in a domain, unless the constraints are unchanged.
func checkConstraintAttributes(in *input) (errs field.ErrorList) {
	isUnchanged := in.old.spec != nil &&
		semantic.DeepEqual(in.old.spec.Devices.Constraints, in.new.spec.Devices.Constraints)
	isDeclarative := in.isDeclarative() && !isUnchanged
	validate := func(name v1.FullyQualifiedName, path *field.Path) {
		errs = add(errs, in.validateFullyQualifiedName(string(name), path)...)
		if isDeclarative {
			errs = add(errs, validateLowerCaseDomain(string(name), path)...)
		}
	}
	for i, c := range in.constraints() {
		if c.MatchAttribute != nil {
			validate(*c.MatchAttribute, in.constraintPath(i).Child("matchAttribute"))
		}
		if c.DistinctAttribute != nil && (c.MatchAttribute == nil || isDeclarative) {
			validate(*c.DistinctAttribute, in.constraintPath(i).Child("distinctAttribute"))
		}
	}
	return errs
}
