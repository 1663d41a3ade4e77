package v1beta1

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

// DeviceRequest asks for devices: for some of one class, or for the first of several alternatives
// that can be had. All fields but name and firstAvailable belong to the former and are not allowed
// beside the latter. A client must not act on a request that has neither a class nor alternatives,
// since it is of a later release.
type DeviceRequest struct {
	// Name by which constraints, configurations, results and a pod's containers refer to the request. A DNS label (at
	// most 63 bytes, no dots), unique in the claim.
	// +required
	Name string `json:"name,omitempty"`

	// DeviceClassName names the DeviceClass that devices must belong to; the class may add selectors and configuration
	// of its own. A DNS subdomain (at most 253 bytes); there is no default class. Required where there is no
	// firstAvailable, and not allowed beside it.
	// +optional
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Selectors must all accept a device for it to be considered. At most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty"`

	// AllocationMode says how many devices satisfy the request: ExactCount, the default where there is
	// a class, or All. Empty counts as absent. A client must not act on a mode that it does not know.
	// +optional
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty"`

	// Count of devices for mode ExactCount; not allowed with mode All. 0 counts as absent, and absent as 1. The schema
	// sets no default, because the schema of a custom resource cannot make one depend on the mode.
	// +optional
	Count int64 `json:"count,omitempty"`

	// AdminAccess asks for access next to ordinary claims, for monitoring or management: the devices are not taken
	// from others, nor kept from them. Only in namespaces with the label resource.kubernetes.io/admin-access: "true".
	// Absent means false, but is another value where the spec must not change. Feature gate DRAAdminAccess, on from 1.34.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// Tolerations let devices be taken although they have these taints. At most 16, which no release enforces. Since 1.33,
	// behind the feature gate DRADeviceTaints, on from 1.36.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`

	// Capacity that each device must have left. Since 1.34, behind the feature gate DRAConsumableCapacity, on from 1.36.
	// +optional
	Capacity *CapacityRequirements `json:"capacity,omitempty"`

	// DerivedAttributes are computed for each device, for constraints to compare. At most 32, each used by a constraint.
	// Since 1.37, behind the feature gate DRADerivedAttributes, which is off.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	DerivedAttributes []DeviceDerivedAttribute `json:"derivedAttributes,omitempty"`

	// FirstAvailable lists alternatives, the best one first: the scheduler takes the first that it can satisfy. At most 8,
	// no name twice. Since 1.33, behind the feature gate DRAPrioritizedList, on from 1.34.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	FirstAvailable []DeviceSubRequest `json:"firstAvailable,omitempty"`
}
