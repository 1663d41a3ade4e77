package v1beta1

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

// DeviceRequest requests devices of one class, or of the first alternative that can be satisfied (firstAvailable). With
// firstAvailable, only name can be set. A client must not act on a request that has neither a class nor alternatives,
// because it may have fields that the client doesn't know.
type DeviceRequest struct {
	// Name is the name with which constraints, configurations, results and the containers of a pod refer to the request. A
	// DNS label (at most 63 bytes, no dots), unique in the claim.
	// +required
	Name string `json:"name,omitempty"`

	// DeviceClassName is the name of the DeviceClass of the devices, which can add selectors and configuration. A DNS
	// subdomain (at most 253 bytes). There is no default. It is required without firstAvailable, and not allowed with it.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all match a device for it to be allocated. There are at most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode determines how many devices satisfy the request: ExactCount, the default of a request with a class,
	// or All. An empty value is treated as absent. A client must not act on an unknown mode.
	// +optional
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count is the number of devices for the mode ExactCount. It is not allowed with the mode All. 0 is treated as absent,
	// and absent as 1. The schema sets no default, because a default in a schema can't depend on the mode.
	// +optional
	Count int64 `json:"count,omitempty"`

	// AdminAccess requests devices for monitoring or management that other claims can use at the same time. It is allowed
	// only in namespaces with the label resource.kubernetes.io/admin-access: "true". Absent means false, but an update
	// that sets false changes the spec. It has the feature gate DRAAdminAccess, enabled by default since 1.34.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// Tolerations allow the allocation of devices that have these taints. At most 16 by convention: no release enforces
	// this. Since 1.33, with the feature gate DRADeviceTaints, enabled by default since 1.36.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`

	// Capacity is the capacity that each device must have available. Since 1.34, with the feature gate
	// DRAConsumableCapacity, enabled by default since 1.36.
	// +optional
	Capacity *CapacityRequirements `json:"capacity,omitempty"`

	// DerivedAttributes are attributes that are computed for each device and compared by constraints. There are at most
	// 32, and a constraint must use each of them. Since 1.37, with the feature gate DRADerivedAttributes, disabled by
	// default.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	DerivedAttributes []DeviceDerivedAttribute `json:"derivedAttributes,omitempty"`

	// FirstAvailable lists alternatives in order of preference. The scheduler uses the first one that it can satisfy.
	// There are at most 8, with unique names. Since 1.33, with the feature gate DRAPrioritizedList, enabled by default
	// since 1.34.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	FirstAvailable []DeviceSubRequest `json:"firstAvailable,omitempty"`
}
