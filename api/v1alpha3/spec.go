package v1alpha3

// ResourceClaimSpec describes the requested devices. It is immutable.
type ResourceClaimSpec struct {
	// Devices describes the requested devices and their configuration.
	// +optional
	Devices DeviceClaim `json:"devices,omitzero"`

	// Controller is the name of the driver whose controller allocates the claim. If it is absent, the scheduler allocates
	// it. A DNS subdomain, in upper or lower case, of at most 63 bytes. Only in 1.31, with the feature gate
	// DRAControlPlaneController. 1.32 removed the field.
	// +optional
	Controller string `json:"controller,omitempty"`
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

// DeviceRequest requests devices of one class or, since 1.33, of the first alternative that can be satisfied
// (firstAvailable). With firstAvailable, only name can be set.
type DeviceRequest struct {
	// Name is the name with which constraints, configurations, results and the containers of a pod refer to the request. A
	// DNS label (at most 63 bytes, no dots), unique in the claim.
	// +required
	Name string `json:"name,omitempty"`

	// DeviceClassName is the name of the DeviceClass of the devices, which can add selectors and configuration. A DNS
	// subdomain (at most 253 bytes). There is no default. A client must not act on a request without a class, because it
	// may have fields that the client doesn't know.
	//
	// It is required, unless the request has firstAvailable. A validation rule checks this, and not the schema.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all match a device for it to be allocated. There are at most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode determines how many devices satisfy the request: ExactCount, the default of a request without
	// alternatives, or All. An empty value is treated as absent. A client must not act on an unknown mode. The field of
	// the same name in the spec of v1alpha1 and v1alpha2 is unrelated.
	// +optional
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count is the number of devices for the mode ExactCount. It is not allowed with the mode All. 0 is treated as absent,
	// and absent as 1. The schema sets no default, because a default in a schema can't depend on the mode.
	// +optional
	Count int64 `json:"count,omitempty"`

	// AdminAccess requests devices for monitoring or management that other claims can use at the same time. Absent means
	// false.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// FirstAvailable lists alternatives in order of preference. The scheduler uses the first one that it can satisfy.
	// There are at most 8, with unique names. Only in 1.33, with the feature gate DRAPrioritizedList, disabled by
	// default.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	FirstAvailable []DeviceSubRequest `json:"firstAvailable,omitempty"`

	// Tolerations allow the allocation of devices that have these taints. Only in 1.33, with the feature gate
	// DRADeviceTaints, disabled by default.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`
}

// DeviceSubRequest is one alternative of a request. It has the fields of [DeviceRequest] except adminAccess and
// firstAvailable.
type DeviceSubRequest struct {
	// Name is the name of the alternative. Results, constraints and configurations refer to it as <request>/<name>. A DNS
	// label, unique among the alternatives of a request.
	// +required
	Name string `json:"name,omitempty"`

	// DeviceClassName is the name of the DeviceClass of the devices. A DNS subdomain (at most 253 bytes). It is required,
	// which a validation rule checks.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all match a device for it to be allocated. There are at most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode determines how many devices satisfy the request: ExactCount, the default, or All.
	// +optional
	// +kubebuilder:default=ExactCount
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count is the number of devices for the mode ExactCount. It is not allowed with the mode All. 0 is treated as absent,
	// and absent as 1.
	// +optional
	Count int64 `json:"count,omitempty"`

	// Tolerations allow the allocation of devices that have these taints.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`
}

// DeviceConstraint restricts which devices are allocated together for several requests. Exactly one field other than
// requests is set. Currently there is only one.
type DeviceConstraint struct {
	// Requests are the names of the requests that the constraint applies to. There are at most 32, without duplicates.
	// Without names, it applies to all requests of the claim.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []string `json:"requests,omitempty"`

	// MatchAttribute is the name of an attribute that all these devices must have, with the same type and the same value.
	// For example "gpu.example.com/numa" for devices of one NUMA node.
	// +optional
	MatchAttribute *FullyQualifiedName `json:"matchAttribute,omitempty"`
}
