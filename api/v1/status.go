package v1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// ResourceClaimStatus says what was given and to whom.
type ResourceClaimStatus struct {
	// Allocation says what was allocated. The claim is allocated when, and only when, it is there.
	// Once set it can be removed, but not be changed.
	// +optional
	Allocation *AllocationResult `json:"allocation,omitempty"`

	// ReservedFor lists who may use the claim: the kubelet does not start a pod that is not among them. At most 256
	// entries, no UID twice, none without an allocation. None can be added while the claim is being deleted.
	// Server-side apply merges by UID, a merge patch replaces the list.
	// +optional
	// +listType=map
	// +listMapKey=uid
	// +kubebuilder:validation:MaxItems=256
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty" patchStrategy:"merge" patchMergeKey:"uid"`

	// Devices are what drivers report of allocated devices, an entry for each device of which they do. Each is the
	// business of its driver. Since 1.32, behind the feature gate DRAResourceClaimDeviceStatus, on from 1.33.
	//
	// Upstream merges the entries by driver, device, pool and share; a custom resource cannot, as a
	// share may be absent, so server-side apply has the list as a whole.
	// +optional
	// +listType=atomic
	Devices []AllocatedDeviceStatus `json:"devices,omitempty"`

	// ClaimbridgeDeallocationRequested is deallocationRequested of v1alpha3 and before: the claim's
	// driver of old is asked to free the devices. No release of Kubernetes has the field here, only
	// definitions of claimbridge's. A client that writes a whole status without it takes the request
	// back.
	// +optional
	ClaimbridgeDeallocationRequested bool `json:"claimbridgeDeallocationRequested,omitempty"`
}

// ResourceClaimReservedForMaxSize is how many entries status.reservedFor may have.
const ResourceClaimReservedForMaxSize = 256

// AllocationResult says what was allocated.
type AllocationResult struct {
	// Devices that were allocated, and their configuration.
	// +optional
	Devices DeviceAllocationResult `json:"devices,omitzero"`

	// NodeSelector selects the nodes on which the devices can be used. Absent: on every node.
	// +optional
	NodeSelector *corev1.NodeSelector `json:"nodeSelector,omitempty"`

	// AllocationTimestamp is when the devices were allocated. Since 1.34, behind the feature gates
	// DRADeviceBindingConditions and DRAResourceClaimDeviceStatus; from 1.35 on it is always kept.
	// +optional
	AllocationTimestamp *metav1.Time `json:"allocationTimestamp,omitempty"`
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
	// device among the results. At most 64 entries, by a rule: in definitions of claimbridge's, entries of its own do not
	// count, or what an older version could say would not fit.
	//
	// What the allocation says in an older version and cannot say in this one is kept here by claimbridge, in entries
	// with source FromClass for the driver claimbridge.dev.
	// +optional
	// +listType=atomic
	Config []DeviceAllocationConfiguration `json:"config,omitempty"`
}

// AllocationResultsMaxSize is how many devices one claim may be given.
const AllocationResultsMaxSize = 32

// AllocationConfigMaxSize is how many configurations an allocation may have: those of one class and those of a claim.
// Upstream has the limit, but no constant for it.
const AllocationConfigMaxSize = 2 * DeviceConfigMaxSize

// DeviceRequestAllocationResult is one allocated device. Driver, pool and device together say which.
type DeviceRequestAllocationResult struct {
	// Request of the claim's spec that the device was allocated for, by name, or
	// <request>/<alternative>. There may be several devices for one.
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

	// AdminAccess says that the device was allocated for administrative access, as the request asked.
	// Since 1.32, behind the feature gate DRAAdminAccess, on from 1.34.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty"`

	// Tolerations of the request at the time of allocation. Since 1.33.
	// +optional
	// +listType=atomic
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`

	// BindingConditions of the device that must be true before a pod is bound, as they stood at
	// allocation. At most 4, and not without bindingFailureConditions. Since 1.34, behind the feature
	// gate DRADeviceBindingConditions, on from 1.36.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=4
	BindingConditions []string `json:"bindingConditions,omitempty"`

	// BindingFailureConditions of the device, one of which being true means that binding failed. At most 4. Since 1.34.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=4
	BindingFailureConditions []string `json:"bindingFailureConditions,omitempty"`

	// ShareID tells one share of a device that can be allocated several times from the others. A
	// lower-case UUID. Since 1.34, behind the feature gate DRAConsumableCapacity, on from 1.36.
	// +optional
	ShareID *types.UID `json:"shareID,omitempty"`

	// ConsumedCapacity is how much of the device this share has, by the name of a capacity. Since 1.34.
	// +optional
	ConsumedCapacity map[QualifiedName]resource.Quantity `json:"consumedCapacity,omitempty"`

	// SkipNodeOperations are the calls of the driver's plugin that this device does not need. None
	// twice. Since 1.37, behind the feature gate DRAOptionalNodeOperations, which is off.
	// +optional
	// +listType=set
	SkipNodeOperations []SkipNodeOperation `json:"skipNodeOperations,omitempty"`
}

// SkipNodeOperation is a call of a driver's plugin on a node that a device does not need.
type SkipNodeOperation string

const (
	// SkipNodeOperationPrepareResources stands for preparing devices for a pod.
	SkipNodeOperationPrepareResources SkipNodeOperation = "NodePrepareResources"
	// SkipNodeOperationUnprepareResources stands for undoing that.
	SkipNodeOperationUnprepareResources SkipNodeOperation = "NodeUnprepareResources"
	// SkipNodeOperationAll stands for all calls.
	SkipNodeOperationAll SkipNodeOperation = "*"
)

// BindingConditionsMaxSize and BindingFailureConditionsMaxSize are how many conditions of each kind a result may have.
const (
	BindingConditionsMaxSize        = 4
	BindingFailureConditionsMaxSize = 4
)

// AllocatedDeviceStatus is what a driver reports of an allocated device. Driver, pool, device and
// share together say which.
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

	// ShareID of the share, as in its result. Since 1.34.
	// +optional
	ShareID *string `json:"shareID,omitempty"`

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

// Limits of what a driver reports of a device. Those of texts are in bytes.
const (
	AllocatedDeviceStatusMaxConditions        = 8
	AllocatedDeviceStatusDataMaxLength        = 10 * 1024
	NetworkDeviceDataMaxIPs                   = 16
	NetworkDeviceDataInterfaceNameMaxLength   = 256
	NetworkDeviceDataHardwareAddressMaxLength = 128
)

// NetworkDeviceData says how a network device can be reached.
type NetworkDeviceData struct {
	// InterfaceName in the pod, at most 256 bytes.
	// +optional
	InterfaceName string `json:"interfaceName,omitempty"`

	// IPs with the length of their network, such as 192.0.2.5/24 or 2001:db8::5/64, in canonical form.
	// At most 16, none twice.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	IPs []string `json:"ips,omitempty"`

	// HardwareAddress such as a MAC address, at most 128 bytes.
	// +optional
	HardwareAddress string `json:"hardwareAddress,omitempty"`
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
