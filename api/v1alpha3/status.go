package v1alpha3

import corev1 "k8s.io/api/core/v1"

// ResourceClaimStatus says what was given and to whom.
type ResourceClaimStatus struct {
	// Allocation says what was allocated. The claim is allocated when, and only when, it is there.
	// Once set it can be removed, but not be changed.
	// +optional
	Allocation *AllocationResult `json:"allocation,omitempty"`

	// ReservedFor lists who may use the claim: the kubelet does not start a pod that is not among them. At most 32
	// entries (256 from 1.32 on), no UID twice, none without an allocation. None can be added while the claim is being
	// deleted or deallocationRequested is set. Server-side apply merges by UID, a merge patch replaces the list.
	// +optional
	// +listType=map
	// +listMapKey=uid
	// +kubebuilder:validation:MaxItems=32
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty" patchStrategy:"merge" patchMergeKey:"uid"`

	// DeallocationRequested asks the controller that allocated to free the devices; it then clears this field together
	// with allocation. It cannot be set without an allocation nor while the claim is reserved, and cannot be taken
	// back while the allocation stands. Only in 1.31, behind the feature gate DRAControlPlaneController; 1.32 dropped
	// the field.
	// +optional
	DeallocationRequested bool `json:"deallocationRequested,omitempty"`
}

// ResourceClaimReservedForMaxSize is how many entries status.reservedFor may have in 1.31. 1.32 raised it to 256.
const ResourceClaimReservedForMaxSize = 32

// AllocationResult says what was allocated.
type AllocationResult struct {
	// Devices that were allocated, and their configuration.
	// +optional
	Devices DeviceAllocationResult `json:"devices,omitzero"`

	// NodeSelector selects the nodes on which the devices can be used. Absent: on every node.
	// +optional
	NodeSelector *corev1.NodeSelector `json:"nodeSelector,omitempty"`

	// Controller names the driver whose controller allocated and has to deallocate; the devices may be of other
	// drivers. Absent: the scheduler allocated, and no driver takes part in deallocating. A DNS subdomain, in upper
	// or lower case, of at most 63 bytes. Only in 1.31, behind the feature gate DRAControlPlaneController; 1.32
	// dropped the field.
	// +optional
	Controller string `json:"controller,omitempty"`
}

// DeviceAllocationResult lists allocated devices and their configuration.
type DeviceAllocationResult struct {
	// Results lists the allocated devices. At most 32. The plugins of the drivers named here, and no others, are
	// called on the node.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Results []DeviceRequestAllocationResult `json:"results,omitempty"`

	// Config is what device classes and the claim configured, as it stood at allocation, also for drivers that have no
	// device among the results. At most 64 entries.
	//
	// What the allocation says in an older version and cannot say in this one is kept here by claimbridge, in entries
	// with source FromClass: a handle's data for the driver that it is for, all else for the driver claimbridge.dev.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Config []DeviceAllocationConfiguration `json:"config,omitempty"`
}

// AllocationResultsMaxSize is how many devices one claim may be given.
const AllocationResultsMaxSize = 32

// AllocationConfigMaxSize is how many configurations an allocation may have: those of one class and those of a claim.
// Upstream has the limit, but no constant for it.
const AllocationConfigMaxSize = 2 * DeviceConfigMaxSize

// DeviceRequestAllocationResult is one allocated device. Driver, pool and device together say which.
type DeviceRequestAllocationResult struct {
	// Request of the claim's spec that the device was allocated for, by name. There may be several devices for one.
	// +required
	Request string `json:"request,omitempty"`

	// Driver whose plugin is called on the node. A DNS subdomain, in upper or lower case, of at most 63 bytes.
	// +required
	Driver string `json:"driver,omitempty"`

	// Pool of the driver that the device belongs to. DNS subdomains with slashes between them, at most 253 bytes in
	// all. A node's name for devices that belong to a node.
	// +required
	Pool string `json:"pool,omitempty"`

	// Device by its name in the pool. A DNS label (at most 63 bytes, no dots).
	// +required
	Device string `json:"device,omitempty"`
}

// DeviceAllocationConfiguration is one configuration as it stood at allocation.
type DeviceAllocationConfiguration struct {
	// Source says who configured: FromClass, whoever may write device classes, or FromClaim, whoever may write claims.
	// +required
	Source AllocationConfigSource `json:"source,omitempty"`

	// Requests that it holds for, by name. At most 32, none twice. None: all requests of the claim.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []string `json:"requests,omitempty"`

	DeviceConfiguration `json:",inline"`
}

// AllocationConfigSource says where a configuration came from.
//
// +kubebuilder:validation:Enum=FromClass;FromClaim
type AllocationConfigSource string

const (
	// AllocationConfigSourceClass marks what came from a device class, which ordinary users cannot write.
	AllocationConfigSourceClass AllocationConfigSource = "FromClass"

	// AllocationConfigSourceClaim marks what came from the claim.
	AllocationConfigSourceClaim AllocationConfigSource = "FromClaim"
)
