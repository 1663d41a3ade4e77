package v1alpha3

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ResourceClaimStatus describes the allocation of a claim and its consumers.
type ResourceClaimStatus struct {
	// Allocation is set if the claim is allocated. It can be removed, but not changed.
	// +optional
	Allocation *AllocationResult `json:"allocation,omitempty"`

	// ReservedFor lists the consumers of the claim. The kubelet starts only pods in this list. The entries have unique
	// UIDs. There are at most 32 by the rules of 1.31, at most 256 by the schema as since 1.32, and none without an
	// allocation. No entry can be added while the claim is being deleted or deallocationRequested is set. Server-side
	// apply merges by UID, a merge patch replaces the list.
	// +optional
	// +listType=map
	// +listMapKey=uid
	// +kubebuilder:validation:MaxItems=256
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty" patchStrategy:"merge" patchMergeKey:"uid"`

	// DeallocationRequested asks the controller that allocated the claim to deallocate it. The controller then
	// clears this field together with the allocation. It cannot be set without an allocation, or while the claim is
	// reserved. It cannot be cleared while there is an allocation. Only in 1.31, with the feature gate
	// DRAControlPlaneController. 1.32 removed the field.
	// +optional
	DeallocationRequested bool `json:"deallocationRequested,omitempty"`

	// Devices are the status reports of drivers about allocated devices. Each driver writes the entries of its devices.
	// Server-side apply merges them by driver, device and pool. Since 1.32, with the feature gate
	// DRAResourceClaimDeviceStatus, enabled by default since 1.33.
	// +optional
	// +listType=map
	// +listMapKey=driver
	// +listMapKey=device
	// +listMapKey=pool
	Devices []AllocatedDeviceStatus `json:"devices,omitempty"`

	// ClaimbridgeLeftover preserves the v1 status if this version cannot represent all of it: "v1:" and the status as
	// JSON, or "v1:nothing" if this version represents all of it. "v1+spec:" and an object with spec and status also
	// preserves the v1 spec, if it exceeds the size limit of annotations. The conversion webhook sets the field in this
	// version and removes it from the stored version. Kubernetes does not have this field.
	//
	// Users and drivers must not set it. A client that does not know the field and drops it in a write of the status
	// loses nothing: the annotation claimbridge.dev/v1-status has the status too, and such a write cannot change it.
	// +optional
	ClaimbridgeLeftover string `json:"claimbridgeLeftover,omitempty"`
}

// ResourceClaimReservedForMaxSize is the maximum number of entries of status.reservedFor in 1.31. 1.32 raised it to
// 256.
const ResourceClaimReservedForMaxSize = 32

// AllocationResult describes an allocation.
type AllocationResult struct {
	// Devices are the allocated devices and their configuration.
	// +optional
	Devices DeviceAllocationResult `json:"devices,omitzero"`

	// NodeSelector selects the nodes on which the devices can be used. If it is absent, they can be used on every node.
	// +optional
	NodeSelector *corev1.NodeSelector `json:"nodeSelector,omitempty"`

	// Controller is the name of the driver whose controller allocated the claim and must deallocate it. The devices can
	// belong to other drivers. If it is absent, the scheduler allocated the claim, and no driver has to deallocate it. A
	// DNS subdomain, in upper or lower case, of at most 63 bytes. Only in 1.31, with the feature gate
	// DRAControlPlaneController. 1.32 removed the field.
	// +optional
	Controller string `json:"controller,omitempty"`
}

// DeviceAllocationResult lists allocated devices and their configuration.
type DeviceAllocationResult struct {
	// Results lists the allocated devices. There are at most 32. On the node, the kubelet calls only the plugins of the
	// drivers in this list.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Results []DeviceRequestAllocationResult `json:"results,omitempty"`

	// Config is the configuration of the device classes and the claim at the time of the allocation, including entries for
	// drivers without an allocated device. There are at most 64 entries.
	//
	// claimbridge stores data of the allocation that only older versions represent in entries with the source FromClass
	// and the driver claimbridge.dev.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Config []DeviceAllocationConfiguration `json:"config,omitempty"`
}

// AllocationResultsMaxSize is the maximum number of allocated devices of a claim.
const AllocationResultsMaxSize = 32

// AllocationConfigMaxSize is the maximum number of configurations of an allocation: those of one class and those of a
// claim. k8s.io/api has no constant for it.
const AllocationConfigMaxSize = 2 * DeviceConfigMaxSize

// DeviceRequestAllocationResult is one allocated device, which driver, pool and device identify together.
type DeviceRequestAllocationResult struct {
	// Request is the name of the request in the spec for which the device was allocated. Several devices can have the same
	// request.
	// +required
	Request string `json:"request,omitempty"`

	// Driver is the driver whose plugin is called on the node. A DNS subdomain, in upper or lower case, of at most 63
	// bytes.
	// +required
	Driver string `json:"driver,omitempty"`

	// Pool is the pool of the driver that contains the device: DNS subdomains that are separated by slashes, at most 253
	// bytes together. For devices of a node, it is often the name of the node.
	// +required
	Pool string `json:"pool,omitempty"`

	// Device is the name of the device in the pool. A DNS label (at most 63 bytes, no dots).
	// +required
	Device string `json:"device,omitempty"`

	// AdminAccess is true if the device was allocated for administrative access. Since 1.32.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// Tolerations are the tolerations of the request at the time of the allocation. Only in 1.33.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`
}

// AllocatedDeviceStatus is a driver's report about an allocated device, which driver, pool and device identify
// together.
type AllocatedDeviceStatus struct {
	// Driver is the driver of the device, as in its result.
	// +required
	Driver string `json:"driver,omitempty"`

	// Pool is the pool of the device, as in its result.
	// +required
	Pool string `json:"pool,omitempty"`

	// Device is the name of the device in the pool, as in its result.
	// +required
	Device string `json:"device,omitempty"`

	// Conditions are the conditions of the device, at most 8. The condition Ready is true when the device is configured.
	// Kubernetes writes null if there are none.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=8
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// Data is a JSON object in the driver's format, of at most 10240 bytes. Kubernetes 1.32 writes null if it is absent.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Data *runtime.RawExtension `json:"data,omitempty"`

	// NetworkData is set for network devices.
	// +optional
	NetworkData *NetworkDeviceData `json:"networkData,omitempty"`
}
