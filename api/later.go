package api

// LaterField is a field that a later release of Kubernetes added to a version. The release whose types are here did not
// have it, and neither do they.
type LaterField struct {
	// Path in a claim; [] stands for every item of a list. In a template spec is spec.spec.
	Path string
	// Release of Kubernetes that brought it.
	Release string
}

// laterFieldsOfV1alpha3 are those of claims, up to Kubernetes 1.33, the last release that served claims in v1alpha3.
// The schemas let them through as any JSON, rather than pruning them silently, and the rule no-field-of-later-releases
// refuses them.
var laterFieldsOfV1alpha3 = []LaterField{
	{Path: "spec.devices.requests[].firstAvailable", Release: "1.33"},
	{Path: "spec.devices.requests[].tolerations", Release: "1.33"},
	{Path: "status.allocation.devices.results[].adminAccess", Release: "1.32"},
	{Path: "status.allocation.devices.results[].tolerations", Release: "1.33"},
	{Path: "status.devices", Release: "1.32"},
}
