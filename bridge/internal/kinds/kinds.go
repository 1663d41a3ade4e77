// Package kinds is the table of the kinds that the bridge translates, and of their resources.
package kinds

import "slices"

// Kind of objects. It is the same in all versions that the bridge translates.
type Kind struct {
	Kind, Resource, Singular string

	Namespaced bool
	HasStatus  bool // has the subresource status
}

var all = []Kind{
	{Kind: "DeviceClass", Resource: "deviceclasses", Singular: "deviceclass"},
	{
		Kind: "ResourceClaim", Resource: "resourceclaims", Singular: "resourceclaim", Namespaced: true,
		HasStatus: true,
	},
	{
		Kind: "ResourceClaimTemplate", Resource: "resourceclaimtemplates", Singular: "resourceclaimtemplate",
		Namespaced: true,
	},
	{Kind: "ResourceSlice", Resource: "resourceslices", Singular: "resourceslice"},
}

// All returns the kinds in the order of their resources.
func All() []Kind { return slices.Clone(all) }

// Find returns the kind of a resource.
func Find(resource string) (kind Kind, isKnown bool) {
	i := slices.IndexFunc(all, func(k Kind) bool { return k.Resource == resource })
	if i < 0 {
		return Kind{}, false
	}
	return all[i], true
}
