package validation

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// capacityRules are about requested and consumed capacity. A stored allocation is not validated again, as in
// Kubernetes 1.38.
var capacityRules = []Rule{
	{
		Name:         "capacities-at-most-32",
		Reason:       "A request or alternative requests at most 32 capacities, and an allocated device consumes at most 32.",
		Source:       "Kubernetes 1.38+ DS41 DT35",
		Since:        release1_38,
		operations:   onAny,
		isNewerLimit: true,
		check:        checkCapacitiesAtMost32,
	},
	{
		Name:         "capacity-is-not-negative",
		Reason:       "A requested or consumed capacity is at least 0.",
		Source:       "Kubernetes 1.38+ DS41 DT35",
		Since:        release1_38,
		operations:   onAny,
		isNewerLimit: true,
		check:        checkCapacitiesAreNotNegative,
	},
	{
		Name: "capacity-name-is-qualified",
		Reason: "The name of a requested or consumed capacity is a C identifier of at most 32 bytes, optionally " +
			"after a domain and a slash.",
		Source:       "Kubernetes 1.38+ DS42 DT36",
		Since:        release1_38,
		operations:   onAny,
		isNewerLimit: true,
		check:        checkCapacityNames,
	},
}

// capacities maps names of capacities to quantities.
type capacities map[v1.QualifiedName]resource.Quantity

// capacityPair is what a subrequest requests or a result consumes, and what the old subrequest requests.
type capacityPair struct {
	path     *field.Path
	new, old capacities
}

// changedCapacities returns the capacities of subrequests that differ from the old ones. On UpdateStatus it also
// returns those of the results of a new allocation.
func (in *input) changedCapacities(subRequests []subRequest) (pairs []capacityPair) {
	for _, r := range subRequests {
		if r.Capacity == nil {
			continue
		}
		pair := capacityPair{path: r.path.Child("capacity", "requests"), new: r.Capacity.Requests}
		if old := in.oldCapacity(&r); old != nil {
			pair.old = old.Requests
			if semantic.DeepEqual(pair.old, pair.new) {
				continue
			}
		}
		pairs = append(pairs, pair)
	}
	if in.operation != UpdateStatus {
		return pairs
	}
	for i, r := range in.allocatedResults() {
		path := resultsPath.Index(i).Child("consumedCapacity")
		pairs = append(pairs, capacityPair{path: path, new: r.ConsumedCapacity})
	}
	return pairs
}

// oldCapacity returns what the old subrequest with the same name requests, or nil if there is none.
func (in *input) oldCapacity(r *subRequest) *v1.CapacityRequirements {
	if r.isAlternative {
		if old := in.oldAlternative(r); old != nil {
			return old.Capacity
		}
		return nil
	}
	if old := in.oldRequest(r.request.Name); old != nil && old.Exactly != nil {
		return old.Exactly.Capacity
	}
	return nil
}

func checkCapacitiesAtMost32(in *input) (errs field.ErrorList) {
	for _, pair := range in.changedCapacities(in.declarativeSubRequests) {
		errs = add(errs, in.validateLength(len(pair.new), v1.CapacityRequirementsMaxSize, pair.path)...)
	}
	return errs
}

func checkCapacitiesAreNotNegative(in *input) (errs field.ErrorList) {
	for _, pair := range in.changedCapacities(in.declarativeSubRequests) {
		if len(pair.new) > v1.CapacityRequirementsMaxSize {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pair.new)) {
			quantity := pair.new[name]
			old, hasOld := pair.old[name]
			if quantity.Sign() >= 0 || hasOld && quantity.Cmp(old) == 0 {
				continue
			}
			path := pair.path.Key(shortenName(string(name)))
			errs = add(errs, field.Invalid(path, quantity.String(), "must be greater than or equal to 0"))
		}
	}
	return errs
}

// checkCapacityNames reports all names at the path of the map, as upstream does.
func checkCapacityNames(in *input) (errs field.ErrorList) {
	for _, pair := range in.changedCapacities(in.subRequests) {
		for _, name := range slices.Sorted(maps.Keys(pair.new)) {
			errs = add(errs, in.validateQualifiedName(string(name), pair.path)...)
		}
	}
	return errs
}

// validateQualifiedName rejects a name that is neither an identifier nor domain/identifier.
func (in *input) validateQualifiedName(name string, fldPath *field.Path) field.ErrorList {
	domain, identifier, hasDomain := strings.Cut(name, "/")
	switch {
	case !hasDomain:
		return in.validateIdentifier(name, fldPath)
	case strings.Contains(identifier, "/"):
		return invalidName(fldPath, name, "must not contain more than one slash")
	}
	return in.validateDomainAndIdentifier(domain, identifier, fldPath)
}
