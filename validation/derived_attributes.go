package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/validation/cel"
)

// derivedAttributeRules are about derived attributes, which came with 1.37. Its API server drops them unless their
// feature gate is on or the old object, here a template, has some.
var derivedAttributeRules = []Rule{
	{
		Name:       "derived-attributes-at-most-32",
		Reason:     "A request or alternative has at most 32 derived attributes.",
		Source:     "Kubernetes 1.37+ DS39",
		Since:      release1_37,
		operations: onSpec,
		check:      checkDerivedAttributesAtMost32,
	},
	{
		Name:       "derived-attributes-are-unique",
		Reason:     "The names of the derived attributes of a request are unique.",
		Source:     "Kubernetes 1.37+ DS39",
		Since:      release1_37,
		operations: onSpec,
		check:      checkDerivedAttributesAreUnique,
	},
	{
		Name:       "derived-attribute-is-complete",
		Reason:     "A derived attribute has a fully qualified name, domain/identifier, and an expression.",
		Source:     "Kubernetes 1.37+ DS39",
		Since:      release1_37,
		operations: onSpec,
		check:      checkDerivedAttributesAreComplete,
	},
	{
		Name: "derived-attribute-is-constrained",
		Reason: "Each derived attribute is compared by a constraint that applies to its request, or to all " +
			"requests.",
		Source:     "Kubernetes 1.37+ DS39",
		Since:      release1_37,
		operations: onSpec,
		check:      checkDerivedAttributesAreConstrained,
	},
	{
		Name: "derived-attribute-compiles",
		Reason: "The expression of a derived attribute is CEL, can use the device, and returns the value of an " +
			"attribute. It has at most 10,240 bytes. All expressions of a claim together cost at most 1,000,000.",
		Source:     "Kubernetes 1.37+ DS40",
		Since:      release1_37,
		operations: onSpec,
		check:      checkDerivedAttributesCompile,
	},
}

// changedDerivedAttributes returns the subrequests whose derived attributes declarative validation covers. It omits
// those whose derived attributes are unchanged.
func (in *input) changedDerivedAttributes() (changed []subRequest) {
	if !in.isDeclarative() {
		return nil
	}
	for _, r := range in.declarativeSubRequests {
		if !in.hasUnchangedDerivedAttributes(&r) {
			changed = append(changed, r)
		}
	}
	return changed
}

// hasUnchangedDerivedAttributes reports whether the old subrequest has the same derived attributes.
func (in *input) hasUnchangedDerivedAttributes(r *subRequest) bool {
	old := in.oldRequest(r.request.Name)
	if old == nil {
		return false
	}
	if !r.isAlternative {
		return old.Exactly != nil && semantic.DeepEqual(old.Exactly.DerivedAttributes, r.DerivedAttributes)
	}
	return slices.ContainsFunc(old.FirstAvailable, func(a v1.DeviceSubRequest) bool {
		return a.Name == r.Name && semantic.DeepEqual(a.DerivedAttributes, r.DerivedAttributes)
	})
}

func checkDerivedAttributesAtMost32(in *input) (errs field.ErrorList) {
	for _, r := range in.changedDerivedAttributes() {
		path := r.path.Child("derivedAttributes")
		errs = add(errs, in.validateLength(len(r.DerivedAttributes), v1.DeviceDerivedAttributesMaxSize, path)...)
	}
	return errs
}

func checkDerivedAttributesAreUnique(in *input) (errs field.ErrorList) {
	nameOf := func(a *v1.DeviceDerivedAttribute) v1.FullyQualifiedName { return a.Name }
	for _, r := range in.subRequests {
		for i := range duplicatesBy(r.DerivedAttributes, nameOf) {
			path := r.path.Child("derivedAttributes").Index(i)
			errs = add(errs, field.Duplicate(path, nameValue(string(r.DerivedAttributes[i].Name))))
		}
	}
	return errs
}

func checkDerivedAttributesAreComplete(in *input) (errs field.ErrorList) {
	for _, r := range in.changedDerivedAttributes() {
		if len(r.DerivedAttributes) > v1.DeviceDerivedAttributesMaxSize {
			continue
		}
		for i, a := range r.DerivedAttributes {
			path := r.path.Child("derivedAttributes").Index(i)
			if a.Name == "" {
				errs = add(errs, field.Required(path.Child("name"), ""))
			} else {
				errs = add(errs, in.validateFullyQualifiedName(string(a.Name), path.Child("name"))...)
				errs = add(errs, validateLowerCaseDomain(string(a.Name), path.Child("name"))...)
			}
			if a.Expression == "" {
				errs = add(errs, field.Required(path.Child("expression"), ""))
			}
		}
	}
	return errs
}

// comparison is an attribute that a constraint compares between the devices of a request. If the request is empty, it
// is compared between the devices of all requests.
type comparison struct{ request, attribute string }

func checkDerivedAttributesAreConstrained(in *input) (errs field.ErrorList) {
	compared := in.comparedAttributes()
	for _, r := range in.subRequests {
		for i, a := range r.DerivedAttributes {
			name := string(a.Name)
			if name == "" || compared[comparison{"", name}] || compared[comparison{r.request.Name, name}] ||
				r.isAlternative && compared[comparison{r.request.Name + "/" + r.Name, name}] {
				continue
			}
			path := r.path.Child("derivedAttributes").Index(i).Child("name")
			errs = add(errs, invalidName(path, name, "must be referenced by at least one matchAttribute or "+
				"distinctAttribute constraint targeting this request")...)
		}
	}
	return errs
}

// comparedAttributes returns the attributes that the constraints of the new spec compare.
func (in *input) comparedAttributes() map[comparison]bool {
	compared := map[comparison]bool{}
	for _, c := range in.new.spec.Devices.Constraints {
		name := c.MatchAttribute
		if name == nil {
			name = c.DistinctAttribute
		}
		if name == nil {
			continue
		}
		if len(c.Requests) == 0 {
			compared[comparison{"", string(*name)}] = true
		}
		for _, request := range c.Requests {
			compared[comparison{request, string(*name)}] = true
		}
	}
	return compared
}

func checkDerivedAttributesCompile(in *input) (errs field.ErrorList) {
	var total uint64
	for _, r := range in.subRequests {
		for i, a := range r.DerivedAttributes {
			if a.Expression == "" {
				continue
			}
			path := r.path.Child("derivedAttributes").Index(i).Child("expression")
			if len(a.Expression) > cel.MaxLength {
				errs = add(errs, field.TooLong(path, "", cel.MaxLength))
				continue
			}
			result := in.expressions.CheckDerivedAttribute(a.Expression, int(in.release))
			total += result.Cost // the sum may wrap around, as upstream's does
			if result.Type != "" {
				errs = add(errs, expressionError(path, result))
			}
			if in.expressions.Exhausted() {
				return errs
			}
		}
	}
	if total > cel.MaxCost {
		errs = add(errs, field.Forbidden(in.paths.devices,
			"too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit"))
	}
	return errs
}
