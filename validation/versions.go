package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
)

// version is what is judged of one version of the API: upstream's rules, in the order in which their errors are listed, and
// how its types are taken apart for them.
type version struct {
	claim, template []Rule
	// partsOf a claim, or of the claim in a template: pointers to its spec and its status, nil when absent. Defaults are
	// set in the parts, as the release sets them, and what is given stays as it is.
	partsOf func(spec, status any, judge release) parts
	// nodes is where an allocation selects nodes.
	nodes *field.Path
}

// versions that have types of their own, by their names in the table of package api; init adds the others. A write in a version that is not
// here is refused.
var versions = map[string]version{
	"v1alpha1": {
		claim: v1alpha1Claim, template: classicTemplate, partsOf: takeApart(partsOfV1alpha1), nodes: allocationPath.Child("availableOnNodes"),
	},
	"v1alpha2": {
		claim: v1alpha2Claim, template: classicTemplate, partsOf: takeApart(partsOfV1alpha2), nodes: allocationPath.Child("availableOnNodes"),
	},
	"v1alpha3": {
		claim: v1alpha3Claim, template: v1alpha3Template, partsOf: takeApart(partsOfV1alpha3), nodes: nodeSelectorPath,
	},
	"v1beta1": {
		claim: v1Claim, template: v1Template, partsOf: takeApart(partsOfV1beta1), nodes: nodeSelectorPath,
	},
}

// exactly is what versions have whose types are those of v1.
var exactly = version{claim: v1Claim, template: v1Template, partsOf: takeApart(partsOfV1), nodes: nodeSelectorPath}

func init() { //nolint:gochecknoinits // rules ask the versions, which list rules: variables cannot refer to each other in a circle
	for _, v := range api.Versions() {
		if _, own := versions[v.Name]; v.Exactly && !own {
			versions[v.Name] = exactly
		}
	}
	lists := [][]Rule{ownRules}
	for _, v := range versions {
		lists = append(lists, v.claim, v.template)
	}
	for _, list := range lists {
		for i := range list {
			list[i].releases = releasesIn(list[i].Source)
		}
	}
}

// takeApart hides the types of a version; what is absent counts as empty.
func takeApart[Spec, Status any](partsOf func(*Spec, *Status, release) parts) func(spec, status any, judge release) parts {
	return func(spec, status any, judge release) parts {
		s, _ := spec.(*Spec)
		if s == nil {
			s = new(Spec)
		}
		t, _ := status.(*Status)
		if t == nil {
			t = new(Status)
		}
		return partsOf(s, t, judge)
	}
}

// rules of upstream for a kind.
func (v version) rules(kind string) []Rule {
	if kind == templateKind {
		return v.template
	}
	return v.claim
}
