package v1alpha3

// ResourceClaimSpec says which devices are wanted. It cannot be changed.
type ResourceClaimSpec struct {
	// Devices says which devices are wanted and how to configure them.
	// +optional
	Devices DeviceClaim `json:"devices,omitzero"`

	// Controller names the driver whose controller is meant to allocate. Absent: the scheduler allocates. A DNS
	// subdomain, in upper or lower case, of at most 63 bytes. Only in 1.31, behind the feature gate
	// DRAControlPlaneController; 1.32 dropped the field.
	// +optional
	Controller string `json:"controller,omitempty"`
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

// DeviceRequest asks for devices: for some of one class, or from 1.33 on for the first of several
// alternatives that can be had. All fields but name and firstAvailable belong to the former and are
// not allowed beside the latter.
type DeviceRequest struct {
	// Name by which constraints, configurations, results and a pod's containers refer to the request. A DNS label (at
	// most 63 bytes, no dots), unique in the claim.
	// +required
	Name string `json:"name,omitempty"`

	// DeviceClassName names the DeviceClass that devices must belong to; the class may add selectors and configuration
	// of its own. A DNS subdomain (at most 253 bytes); there is no default class. A client must not act on a
	// request without a class: it is of a later release.
	//
	// It is required, but by a rule: the schema would refuse a request of 1.33, which may have firstAvailable instead,
	// before the rule that says so is asked.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all accept a device for it to be considered. At most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode says how many devices satisfy the request: ExactCount, the default where there
	// are no alternatives, or All. Empty counts as absent. A client must not act on a mode that it
	// does not know. It has nothing to do with the field of the same name in the spec of v1alpha1 and
	// v1alpha2.
	// +optional
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count of devices for mode ExactCount; not allowed with mode All. 0 counts as absent, and absent as 1. The schema
	// sets no default, because the schema of a custom resource cannot make one depend on the mode.
	// +optional
	Count int64 `json:"count,omitempty"`

	// AdminAccess asks for access next to ordinary claims, for monitoring or management: the devices are not taken
	// from others, nor kept from them. Absent counts as false.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// FirstAvailable lists alternatives, the best one first: the scheduler takes the first that it can satisfy. At most 8,
	// no name twice. Only in 1.33, behind the feature gate DRAPrioritizedList, which is off.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	FirstAvailable []DeviceSubRequest `json:"firstAvailable,omitempty"`

	// Tolerations let devices be taken although they have these taints. Only in 1.33, behind the
	// feature gate DRADeviceTaints, which is off.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`
}

// DeviceSubRequest is one alternative of a request. Its fields are those of [DeviceRequest], but
// for adminAccess, which an alternative cannot ask for.
type DeviceSubRequest struct {
	// Name of the alternative. Results, constraints and configurations refer to it as
	// <request>/<name>. A DNS label, unique among the alternatives of a request.
	// +required
	Name string `json:"name,omitempty"`

	// DeviceClassName names the DeviceClass that devices must belong to. A DNS subdomain (at most 253
	// bytes), required by a rule.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all accept a device for it to be considered. At most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode says how many devices satisfy the request: ExactCount, the default, or All.
	// +optional
	// +kubebuilder:default=ExactCount
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count of devices for mode ExactCount; not allowed with mode All. 0 counts as absent, and absent as 1.
	// +optional
	Count int64 `json:"count,omitempty"`

	// Tolerations let devices be taken although they have these taints.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`
}

// DeviceConstraint ties devices of several requests together. Exactly one member beside requests is set; so far there
// is only one.
type DeviceConstraint struct {
	// Requests that are tied together, by name. At most 32, none twice. None: all requests of the claim.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []string `json:"requests,omitempty"`

	// MatchAttribute names an attribute that all these devices must have, with the same type and the same value. For
	// example "gpu.example.com/numa" for devices of one NUMA node.
	// +optional
	MatchAttribute *FullyQualifiedName `json:"matchAttribute,omitempty"`
}
