// Package kinds is the table of the resources that the bridge translates, and of their kinds.
package kinds

import "slices"

// Resource describes a resource of the group. It is the same in all versions that the bridge translates.
type Resource struct {
	Kind, Plural, Singular string

	Namespaced bool
	HasStatus  bool // whether it has the subresource status
}

var resources = []Resource{
	{Kind: "DeviceClass", Plural: "deviceclasses", Singular: "deviceclass"},
	{
		Kind: "ResourceClaim", Plural: "resourceclaims", Singular: "resourceclaim", Namespaced: true,
		HasStatus: true,
	},
	{
		Kind: "ResourceClaimTemplate", Plural: "resourceclaimtemplates", Singular: "resourceclaimtemplate",
		Namespaced: true,
	},
	{Kind: "ResourceSlice", Plural: "resourceslices", Singular: "resourceslice"},
}

// All returns the resources, sorted by name.
func All() []Resource { return slices.Clone(resources) }

// Find returns the resource with a plural name, which is the name in request paths.
func Find(plural string) (resource Resource, isKnown bool) {
	i := slices.IndexFunc(resources, func(r Resource) bool { return r.Plural == plural })
	if i < 0 {
		return Resource{}, false
	}
	return resources[i], true
}
