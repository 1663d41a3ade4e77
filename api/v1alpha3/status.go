package v1alpha3

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ResourceClaimStatus says what was given and to whom.
type ResourceClaimStatus struct {
	// Allocation says what was allocated. The claim is allocated when, and only when, it is there.
	// Once set it can be removed, but not be changed.
	// +optional
	Allocation *AllocationResult `json:"allocation,omitempty"`

	// ReservedFor lists who may use the claim: the kubelet does not start a pod that is not among
	// them. At most 32 entries by the rules of 1.31, 256 by the schema, as from 1.32 on, no UID twice,
	// none without an allocation. None can be added while the claim is being deleted or
	// deallocationRequested is set. Server-side apply merges by UID, a merge patch replaces the list.
	// +optional
	// +listType=map
	// +listMapKey=uid
	// +kubebuilder:validation:MaxItems=256
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty" patchStrategy:"merge" patchMergeKey:"uid"`

	// DeallocationRequested asks the controller that allocated to free the devices; it then clears this field together
	// with allocation. It cannot be set without an allocation nor while the claim is reserved, and cannot be taken
	// back while the allocation stands. Only in 1.31, behind the feature gate DRAControlPlaneController; 1.32 dropped
	// the field.
	// +optional
	DeallocationRequested bool `json:"deallocationRequested,omitempty"`

	// Devices are what drivers report of allocated devices, an entry for each device of which they do.
	// Each is the business of its driver, which server-side apply knows by driver, device and pool.
	// Since 1.32, behind the feature gate DRAResourceClaimDeviceStatus, on from 1.33.
	// +optional
	// +listType=map
	// +listMapKey=driver
	// +listMapKey=device
	// +listMapKey=pool
	Devices []AllocatedDeviceStatus `json:"devices,omitempty"`

	// ClaimbridgeLeftover preserves the v1 status, since this version cannot represent all of it: "v1:" and the status
	// as JSON, or "v1:nothing" if this version represents all of it. "v1+spec:" and an object with spec and status also
	// preserves the v1 spec, for which the annotations of the object had no room. The conversion webhook sets the field
	// in this version and removes it from the stored version. Kubernetes does not have this field.
	//
	// Users and drivers must not set it. A client that does not know the field and drops it in a write of the status
	// loses nothing: the annotation claimbridge.dev/v1-status has the status too, and such a write cannot change it.
	// +optional
	ClaimbridgeLeftover string `json:"claimbridgeLeftover,omitempty"`
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

	// AdminAccess says that the device was allocated for administrative access, as the request asked. Since 1.32.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// Tolerations of the request at the time of allocation. Only in 1.33.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`
}

// AllocatedDeviceStatus is what a driver reports of an allocated device. Driver, pool and device together say which.
type AllocatedDeviceStatus struct {
	// Driver of the device, as in its result.
	// +required
	Driver string `json:"driver,omitempty"`

	// Pool of the device, as in its result.
	// +required
	Pool string `json:"pool,omitempty"`

	// Device by its name in the pool, as in its result.
	// +required
	Device string `json:"device,omitempty"`

	// Conditions of the device, at most 8. Ready is true once it is configured. Releases write null where there are none.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=8
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// Data of the driver's own: a JSON object of at most 10240 bytes. 1.32 writes null where there is none.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Data *runtime.RawExtension `json:"data,omitempty"`

	// NetworkData is set for network devices.
	// +optional
	NetworkData *NetworkDeviceData `json:"networkData,omitempty"`
}
