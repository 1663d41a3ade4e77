package validation

import "github.com/claimbridge/claimbridge/api"

// partsOf a claim, or of the claim in a template: from pointers to its spec and its status, nil
// when absent. Defaults are set in the parts, as the release sets them, and what is given stays as
// it is.
type partsOf func(spec, status any, judge release) parts

// versions by their names in the table of package api: how what a version has is taken apart for
// the rules. A write in a version that is not here is refused.
var versions = func() map[string]partsOf {
	all := map[string]partsOf{
		"v1alpha1": takeApart(partsOfV1alpha1),
		"v1alpha2": takeApart(partsOfV1alpha2),
		"v1alpha3": takeApart(partsOfV1alpha3),
		"v1beta1":  takeApart(partsOfV1beta1),
	}
	for _, v := range api.Versions() {
		if v.Exactly && all[v.Name] == nil {
			all[v.Name] = takeApart(partsOfV1)
		}
	}
	return all
}()

// takeApart hides the types of a version; what is absent counts as empty.
func takeApart[Spec, Status any](partsOf func(*Spec, *Status, release) parts) partsOf {
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
