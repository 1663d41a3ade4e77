package v1

import "k8s.io/apimachinery/pkg/runtime"

// ResourceClaimSpec describes the requested devices. It is immutable.
type ResourceClaimSpec struct {
	// Devices describes the requested devices and their configuration.
	// +optional
	Devices DeviceClaim `json:"devices,omitzero"`
}

// DeviceClaim describes the requested devices and their configuration.
type DeviceClaim struct {
	// Requests must all be satisfied. There are at most 32, with unique names. Without requests, nothing is allocated.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []DeviceRequest `json:"requests,omitempty"`

	// Constraints must be satisfied by the allocated devices together. There are at most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Constraints []DeviceConstraint `json:"constraints,omitempty"`

	// Config contains parameters for drivers that may provide the devices. A driver ignores entries for other drivers.
	// Entries don't influence which devices are allocated. There are at most 32.
	//
	// claimbridge stores data of the spec that only older versions represent in an entry with the driver claimbridge.dev.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Config []DeviceClaimConfiguration `json:"config,omitempty"`
}

const (
	// DeviceRequestsMaxSize is the maximum number of requests of a claim, the same as of results.
	DeviceRequestsMaxSize = AllocationResultsMaxSize

	// DeviceConstraintsMaxSize is the maximum number of constraints of a claim, and of requests that each can name.
	DeviceConstraintsMaxSize = 32

	// DeviceConfigMaxSize is the maximum number of configurations of a claim or a device class.
	DeviceConfigMaxSize = 32
)

// DeviceSelectorsMaxSize is the maximum number of selectors of a request.
const DeviceSelectorsMaxSize = 32

// DeviceAllocationMode determines how many devices satisfy a request. The schema accepts the empty string, because
// Kubernetes treats it as the default.
//
// +kubebuilder:validation:Enum="";ExactCount;All
type DeviceAllocationMode string

const (
	// DeviceAllocationModeExactCount requests as many devices as the count.
	DeviceAllocationModeExactCount DeviceAllocationMode = "ExactCount"

	// DeviceAllocationModeAll requests all matching devices of a pool. The allocation fails if one of them is in use,
	// unless adminAccess is set.
	DeviceAllocationModeAll DeviceAllocationMode = "All"
)

// DeviceSelector selects devices. Exactly one field is set. Currently there is only one.
type DeviceSelector struct {
	// CEL is set if a CEL expression selects devices.
	// +optional
	CEL *CELDeviceSelector `json:"cel,omitempty"`
}

// CELDeviceSelector selects devices with a CEL expression.
type CELDeviceSelector struct {
	// Expression is a CEL expression that must be true for the device. It can use device.driver (a string),
	// device.attributes and device.capacity (maps from a domain to a map from a name to a value). A missing domain is an
	// empty map. A missing name is an error, which stops the allocation, so check whether the name exists. The expression
	// must compile, have at most 10240 bytes, and an estimated cost of at most 1000000. Kubernetes 1.31 has no limits of
	// length and cost.
	// +required
	Expression string `json:"expression,omitempty"`
}

// DeviceConstraint restricts which devices are allocated together for several requests. Exactly one field other than
// requests is set.
type DeviceConstraint struct {
	// Requests are the names of the requests that the constraint applies to, or <request>/<alternative>. There are at most
	// 32, without duplicates. Without names, it applies to all requests of the claim.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []string `json:"requests,omitempty"`

	// MatchAttribute is the name of an attribute that all these devices must have, with the same type and the same value.
	// For example "gpu.example.com/numa" for devices of one NUMA node.
	// +optional
	MatchAttribute *FullyQualifiedName `json:"matchAttribute,omitempty"`

	// DistinctAttribute is the name of an attribute that all these devices must have, with the same type and with
	// different values. Since 1.34, with the feature gate DRAConsumableCapacity, enabled by default since 1.36.
	// +optional
	DistinctAttribute *FullyQualifiedName `json:"distinctAttribute,omitempty"`
}

// FullyQualifiedName consists of a domain (a DNS subdomain of at most 63 bytes), a slash and a C identifier of at most
// 32 bytes.
type FullyQualifiedName string

// DeviceClaimConfiguration is the configuration of the devices of some requests.
type DeviceClaimConfiguration struct {
	// Requests are the names of the requests that the configuration applies to, or <request>/<alternative>. There are at
	// most 32, without duplicates. Without names, it applies to all requests of the claim.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []string `json:"requests,omitempty"`

	DeviceConfiguration `json:",inline"`
}

// DeviceConfiguration is the configuration of devices. Exactly one field is set. Currently there is only one.
type DeviceConfiguration struct {
	// Opaque contains parameters of one driver.
	// +optional
	Opaque *OpaqueDeviceConfiguration `json:"opaque,omitempty"`
}

// OpaqueDeviceConfiguration contains parameters in the format of one driver.
type OpaqueDeviceConfiguration struct {
	// Driver is the driver of the parameters. Other drivers ignore them. A DNS subdomain, in upper or lower case, of at
	// most 63 bytes.
	// +required
	Driver string `json:"driver,omitempty"`

	// Parameters is a JSON object in the driver's format, usually with apiVersion and kind. It has at most 10240 bytes.
	// Kubernetes 1.31 has no limit. An update that changes any byte of it changes the spec.
	// +required
	// +kubebuilder:pruning:PreserveUnknownFields
	Parameters runtime.RawExtension `json:"parameters,omitzero"`
}
