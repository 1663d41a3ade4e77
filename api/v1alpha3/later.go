package v1alpha3

// LaterField is a field of v1alpha3 that Kubernetes 1.31 did not have yet, and neither do the types here.
//
// +kubebuilder:object:generate=false
type LaterField struct {
	// Path in a claim; [] stands for every item of a list. In a template spec is spec.spec.
	Path string
	// Release of Kubernetes that brought it.
	Release string
}

// LaterFields of claims, up to Kubernetes 1.33, the last release that served claims in v1alpha3. The schemas let them
// through as any JSON, rather than pruning them silently, and the rule no-field-of-later-releases refuses them.
func LaterFields() []LaterField {
	return []LaterField{
		{Path: "spec.devices.requests[].firstAvailable", Release: "1.33"},
		{Path: "spec.devices.requests[].tolerations", Release: "1.33"},
		{Path: "status.allocation.devices.results[].adminAccess", Release: "1.32"},
		{Path: "status.allocation.devices.results[].tolerations", Release: "1.33"},
		{Path: "status.devices", Release: "1.32"},
	}
}
