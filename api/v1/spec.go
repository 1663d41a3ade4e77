package v1

import "k8s.io/apimachinery/pkg/runtime"

// ResourceClaimSpec says which devices are wanted. It cannot be changed.
type ResourceClaimSpec struct {
	// Devices says which devices are wanted and how to configure them.
	// +optional
	Devices DeviceClaim `json:"devices,omitzero"`
}

// DeviceClaim says which devices are wanted and how to configure them.
type DeviceClaim struct {
	// Requests must all be satisfied. At most 32, no name twice. None: nothing has to be allocated.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []DeviceRequest `json:"requests,omitempty"`

	// Constraints must be met by the allocated devices together. At most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Constraints []DeviceConstraint `json:"constraints,omitempty"`

	// Config holds parameters for drivers that may turn out to provide the devices; a driver passes over what is not
	// meant for it. It plays no part in choosing devices. At most 32 entries.
	//
	// What the spec says in an older version and cannot say in this one is kept here by claimbridge, in an entry of
	// the driver claimbridge.dev.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Config []DeviceClaimConfiguration `json:"config,omitempty"`
}

const (
	// DeviceRequestsMaxSize is how many requests a claim may have: as many as there may be results.
	DeviceRequestsMaxSize = AllocationResultsMaxSize

	// DeviceConstraintsMaxSize is how many constraints a claim may have, and how many requests each may name.
	DeviceConstraintsMaxSize = 32

	// DeviceConfigMaxSize is how many configurations a claim, or a device class, may have.
	DeviceConfigMaxSize = 32
)

// DeviceSelectorsMaxSize is how many selectors a request may have.
const DeviceSelectorsMaxSize = 32

// DeviceAllocationMode says how many devices satisfy a request. The schema lets the empty string pass because
// Kubernetes does: it takes it for the default.
//
// +kubebuilder:validation:Enum="";ExactCount;All
type DeviceAllocationMode string

const (
	// DeviceAllocationModeExactCount asks for as many devices as count says.
	DeviceAllocationModeExactCount DeviceAllocationMode = "ExactCount"

	// DeviceAllocationModeAll asks for all matching devices of a pool; it fails when one of them is already in use,
	// unless adminAccess is set.
	DeviceAllocationModeAll DeviceAllocationMode = "All"
)

// DeviceSelector accepts or refuses a device. Exactly one member is set; so far there is only one.
type DeviceSelector struct {
	// CEL is set when an expression decides.
	// +optional
	CEL *CELDeviceSelector `json:"cel,omitempty"`
}

// CELDeviceSelector lets an expression decide.
type CELDeviceSelector struct {
	// Expression in CEL that must be true for the device. It reads device.driver (a string),
	// device.attributes and device.capacity (maps from a domain to a map from a name to a value). A
	// domain that the device lacks reads as an empty map, a name that it lacks is an error, and an
	// error stops the allocation, so test before reading. It must compile when the claim is created,
	// be no longer than 10240 bytes, and cost at most 1000000 by estimate; 1.31 had neither limit.
	// +required
	Expression string `json:"expression,omitempty"`
}

// DeviceConstraint ties devices of several requests together. Exactly one member beside requests is set.
type DeviceConstraint struct {
	// Requests that are tied together, by name, <request>/<alternative> for one alternative. At most
	// 32, none twice. None: all requests of the claim.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []string `json:"requests,omitempty"`

	// MatchAttribute names an attribute that all these devices must have, with the same type and the same value. For
	// example "gpu.example.com/numa" for devices of one NUMA node.
	// +optional
	MatchAttribute *FullyQualifiedName `json:"matchAttribute,omitempty"`

	// DistinctAttribute names an attribute that all these devices must have, with the same type and
	// each with another value. Since 1.34, behind the feature gate DRAConsumableCapacity, on from
	// 1.36.
	// +optional
	DistinctAttribute *FullyQualifiedName `json:"distinctAttribute,omitempty"`
}

// FullyQualifiedName is a domain (a DNS subdomain of at most 63 bytes), a slash and a C identifier of at most 32
// bytes.
type FullyQualifiedName string

// DeviceClaimConfiguration configures the devices of some requests.
type DeviceClaimConfiguration struct {
	// Requests that it holds for, by name, <request>/<alternative> for one alternative. At most 32,
	// none twice. None: all requests of the claim.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []string `json:"requests,omitempty"`

	DeviceConfiguration `json:",inline"`
}

// DeviceConfiguration is the configuration itself. Exactly one member is set; so far there is only one.
type DeviceConfiguration struct {
	// Opaque is set when only the driver understands the parameters.
	// +optional
	Opaque *OpaqueDeviceConfiguration `json:"opaque,omitempty"`
}

// OpaqueDeviceConfiguration holds parameters that only the driver understands.
type OpaqueDeviceConfiguration struct {
	// Driver that the parameters are for; others pass over them. A DNS subdomain, in upper or lower case, of at most
	// 63 bytes.
	// +required
	Driver string `json:"driver,omitempty"`

	// Parameters are a JSON object of the driver's own, as a rule with apiVersion and kind. At
	// most 10240 bytes; 1.31 had no limit. Compared byte by byte where the spec must not change.
	// +required
	// +kubebuilder:pruning:PreserveUnknownFields
	Parameters runtime.RawExtension `json:"parameters,omitzero"`
}
