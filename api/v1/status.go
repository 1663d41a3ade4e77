package v1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// ResourceClaimStatus describes the allocation of a claim and its consumers.
type ResourceClaimStatus struct {
	// Allocation is set if the claim is allocated. It can be removed, but not changed.
	// +optional
	Allocation *AllocationResult `json:"allocation,omitempty"`

	// ReservedFor lists the consumers of the claim. The kubelet starts only pods in this list. It has at most 256 entries
	// with unique UIDs, and none without an allocation. No entry can be added while the claim is being deleted.
	// Server-side apply merges by UID, a merge patch replaces the list.
	// +optional
	// +listType=map
	// +listMapKey=uid
	// +kubebuilder:validation:MaxItems=256
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty" patchStrategy:"merge" patchMergeKey:"uid"`

	// Devices are the status reports of drivers about allocated devices. Each driver writes the entries of its devices.
	// Since 1.32, with the feature gate DRAResourceClaimDeviceStatus, enabled by default since 1.33.
	//
	// In the built-in API, server-side apply merges the entries by driver, device, pool and share. In a custom resource,
	// keys of a list are required, but shareID may be absent. So server-side apply replaces the whole list.
	// +optional
	// +listType=atomic
	Devices []AllocatedDeviceStatus `json:"devices,omitempty"`

	// ClaimbridgeDeallocationRequested is deallocationRequested of v1alpha3 and earlier: it asks the driver's
	// controller to deallocate the claim. Only claimbridge's CRDs have this field. A client that writes a whole
	// status without it withdraws the request.
	// +optional
	ClaimbridgeDeallocationRequested bool `json:"claimbridgeDeallocationRequested,omitempty"`
}

// ResourceClaimReservedForMaxSize is the maximum number of entries of status.reservedFor.
const ResourceClaimReservedForMaxSize = 256

// AllocationResult describes an allocation.
type AllocationResult struct {
	// Devices are the allocated devices and their configuration.
	// +optional
	Devices DeviceAllocationResult `json:"devices,omitzero"`

	// NodeSelector selects the nodes on which the devices can be used. If it is absent, they can be used on every node.
	// +optional
	NodeSelector *corev1.NodeSelector `json:"nodeSelector,omitempty"`

	// AllocationTimestamp is the time of the allocation. Since 1.34, with the feature gates DRADeviceBindingConditions and
	// DRAResourceClaimDeviceStatus. Since 1.35, it is always kept.
	// +optional
	AllocationTimestamp *metav1.Time `json:"allocationTimestamp,omitempty"`
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
	// drivers without an allocated device. There are at most 64 entries, which a validation rule checks. In claimbridge's
	// CRDs, claimbridge's entries don't count, so that data of older versions always fits.
	//
	// claimbridge stores data of the allocation that only older versions represent in entries with the source FromClass
	// and the driver claimbridge.dev.
	// +optional
	// +listType=atomic
	Config []DeviceAllocationConfiguration `json:"config,omitempty"`
}

// AllocationResultsMaxSize is the maximum number of allocated devices of a claim.
const AllocationResultsMaxSize = 32

// AllocationConfigMaxSize is the maximum number of configurations of an allocation: those of one class and those of a
// claim. k8s.io/api has no constant for it.
const AllocationConfigMaxSize = 2 * DeviceConfigMaxSize

// DeviceRequestAllocationResult is one allocated device, which driver, pool and device identify together.
type DeviceRequestAllocationResult struct {
	// Request is the name of the request in the spec for which the device was allocated, or <request>/<alternative>.
	// Several devices can have the same request.
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

	// AdminAccess is true if the device was allocated for administrative access. Since 1.32, with the feature gate
	// DRAAdminAccess, enabled by default since 1.34.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// Tolerations are the tolerations of the request at the time of the allocation. Since 1.33.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`

	// BindingConditions are the conditions of the device that must be true before a pod is bound, at the time of the
	// allocation. There are at most 4, and they require bindingFailureConditions. Since 1.34, with the feature gate
	// DRADeviceBindingConditions, enabled by default since 1.36.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=4
	BindingConditions []string `json:"bindingConditions,omitempty"`

	// BindingFailureConditions are the conditions of the device of which any is true if the binding failed. There are at
	// most 4. Since 1.34.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=4
	BindingFailureConditions []string `json:"bindingFailureConditions,omitempty"`

	// ShareID identifies one share of a device that can be allocated several times. A lower-case UUID. Since 1.34, with
	// the feature gate DRAConsumableCapacity, enabled by default since 1.36.
	// +optional
	ShareID *types.UID `json:"shareID,omitempty"`

	// ConsumedCapacity is the capacity of the device that this share uses, by the name of the capacity. Since 1.34.
	// +optional
	ConsumedCapacity map[QualifiedName]resource.Quantity `json:"consumedCapacity,omitempty"`

	// SkipNodeOperations are the calls of the driver's plugin that this device does not need, without duplicates. Since
	// 1.37, with the feature gate DRAOptionalNodeOperations, disabled by default.
	// +optional
	// +listType=set
	SkipNodeOperations []SkipNodeOperation `json:"skipNodeOperations,omitempty"`
}

// SkipNodeOperation is a call of a driver's plugin on the node that a device does not need.
type SkipNodeOperation string

const (
	// SkipNodeOperationPrepareResources is the call that prepares devices for a pod.
	SkipNodeOperationPrepareResources SkipNodeOperation = "NodePrepareResources"
	// SkipNodeOperationUnprepareResources is the call that releases prepared devices.
	SkipNodeOperationUnprepareResources SkipNodeOperation = "NodeUnprepareResources"
	// SkipNodeOperationAll means all calls.
	SkipNodeOperationAll SkipNodeOperation = "*"
)

// BindingConditionsMaxSize and BindingFailureConditionsMaxSize are the maximum numbers of conditions of a result.
const (
	BindingConditionsMaxSize        = 4
	BindingFailureConditionsMaxSize = 4
)

// AllocatedDeviceStatus is a driver's report about an allocated device, which driver, pool, device and share identify
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

	// ShareID is the ID of the share, as in its result. Since 1.34.
	// +optional
	ShareID *string `json:"shareID,omitempty"`

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

// Limits of the report about a device. Lengths are in bytes.
const (
	AllocatedDeviceStatusMaxConditions        = 8
	AllocatedDeviceStatusDataMaxLength        = 10 * 1024
	NetworkDeviceDataMaxIPs                   = 16
	NetworkDeviceDataInterfaceNameMaxLength   = 256
	NetworkDeviceDataHardwareAddressMaxLength = 128
)

// NetworkDeviceData contains the addresses of a network device.
type NetworkDeviceData struct {
	// InterfaceName is the name of the interface in the pod, at most 256 bytes.
	// +optional
	InterfaceName string `json:"interfaceName,omitempty"`

	// IPs are addresses with prefix lengths, such as 192.0.2.5/24 or 2001:db8::5/64, in canonical form. There are at most
	// 16, without duplicates.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	IPs []string `json:"ips,omitempty"`

	// HardwareAddress is the hardware address, such as a MAC address, at most 128 bytes.
	// +optional
	HardwareAddress string `json:"hardwareAddress,omitempty"`
}

// DeviceAllocationConfiguration is a configuration at the time of the allocation.
type DeviceAllocationConfiguration struct {
	// Source is the origin of the configuration: FromClass (a device class, which administrators write), or FromClaim (the
	// claim).
	// +required
	Source AllocationConfigSource `json:"source,omitempty"`

	// Requests are the names of the requests that the configuration applies to. There are at most 32, without duplicates.
	// Without names, it applies to all requests of the claim.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Requests []string `json:"requests,omitempty"`

	DeviceConfiguration `json:",inline"`
}

// AllocationConfigSource is the origin of a configuration.
//
// +kubebuilder:validation:Enum=FromClass;FromClaim
type AllocationConfigSource string

const (
	// AllocationConfigSourceClass is the source of configuration from a device class, which ordinary users cannot write.
	AllocationConfigSourceClass AllocationConfigSource = "FromClass"

	// AllocationConfigSourceClaim is the source of configuration from the claim.
	AllocationConfigSourceClaim AllocationConfigSource = "FromClaim"
)
