package v1alpha2

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ResourceClaimStatus says what was given and to whom.
type ResourceClaimStatus struct {
	// DriverName of the driver that allocates the claim, copied from the ResourceClass when allocation starts. Required
	// as soon as there is an allocation. A DNS subdomain, in upper or lower case, of at most 63 bytes. It may be
	// there before an allocation is; v1alpha3 has no place for it then.
	// +optional
	DriverName string `json:"driverName,omitempty"`

	// Allocation says what was allocated. The claim is allocated when, and only when, it is there.
	// Once set it can be removed, but not be changed.
	// +optional
	Allocation *AllocationResult `json:"allocation,omitempty"`

	// ReservedFor lists who may use the claim: the kubelet does not start a pod that is not among them. At most 32
	// entries, no UID twice, none without an allocation, and not more than one when the allocation is not shareable.
	// None can be added while the claim is being deleted or deallocationRequested is set.
	// Server-side apply merges by UID, a merge patch replaces the list.
	// +optional
	// +listType=map
	// +listMapKey=uid
	// +kubebuilder:validation:MaxItems=256
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty" patchStrategy:"merge" patchMergeKey:"uid"`

	// DeallocationRequested asks the driver to free what it has allocated; the driver then clears this field together
	// with allocation. It cannot be set without an allocation nor while the claim is reserved, and cannot be taken
	// back while the allocation stands.
	// +optional
	DeallocationRequested bool `json:"deallocationRequested,omitempty"`

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

// ResourceClaimReservedForMaxSize is how many entries status.reservedFor may have. A later release may raise it.
const ResourceClaimReservedForMaxSize = 32

// AllocationResult says what drivers, or the scheduler on their behalf, have allocated.
type AllocationResult struct {
	// ResourceHandles is what the drivers' plugins on the node are told, an entry for each driver that takes part. At
	// most 32. Two entries of one driver are legal. None: the plugin of status.driverName is called, without data.
	// Since 1.27; in 1.26 (v1alpha1) it was a single string, resourceHandle.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	ResourceHandles []ResourceHandle `json:"resourceHandles,omitempty"`

	// AvailableOnNodes selects the nodes on which the resource can be used. Absent: on every node.
	// +optional
	AvailableOnNodes *corev1.NodeSelector `json:"availableOnNodes,omitempty"`

	// Shareable lets more than one consumer use the claim at a time. Absent counts as false.
	// +optional
	Shareable bool `json:"shareable,omitempty"`
}

// AllocationResultResourceHandlesMaxSize is how many entries allocation.resourceHandles may have.
const AllocationResultResourceHandlesMaxSize = 32

// ResourceHandle is what one driver's plugin on the node is told: data or structuredData, never both.
type ResourceHandle struct {
	// DriverName of the driver whose plugin is called; it may differ from status.driverName. Validation asks for it,
	// although upstream's schema does not. A DNS subdomain, in upper or lower case, of at most 63 bytes.
	// +optional
	DriverName string `json:"driverName,omitempty"`

	// Data comes from the controller of the driver that allocated, whose own it is. At most 16384 bytes of UTF-8.
	// +optional
	Data string `json:"data,omitempty"`

	// StructuredData comes from the scheduler, where it allocated without a driver's controller. Since 1.30.
	// +optional
	StructuredData *StructuredResourceHandle `json:"structuredData,omitempty"`
}

// ResourceHandleDataMaxSize is how long a handle's data may be, in bytes. A later release may raise it.
const ResourceHandleDataMaxSize = 16 * 1024

// StructuredResourceHandle is what the scheduler has allocated for one driver. Since 1.30; replaced in 1.31
// (v1alpha3) by allocation.devices.
type StructuredResourceHandle struct {
	// VendorClassParameters are the driver's parameters from the ResourceClass, as they stood at allocation. Any JSON
	// value, of any size; null counts as absent. Kubernetes checks nothing about it.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	VendorClassParameters runtime.RawExtension `json:"vendorClassParameters,omitzero"`

	// VendorClaimParameters are the driver's parameters from the claim, as they stood at allocation. Any JSON value,
	// of any size; null counts as absent. Kubernetes checks nothing about it.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	VendorClaimParameters runtime.RawExtension `json:"vendorClaimParameters,omitzero"`

	// NodeName of the node whose resources these are. Absent when they do not belong to a node. A DNS subdomain.
	// +optional
	NodeName string `json:"nodeName,omitempty"`

	// Results lists what was allocated, an entry for each request. No limit is set. Optional here although upstream
	// does not mark it so: its Go clients write null for none, which its validation accepts.
	// +optional
	// +listType=atomic
	Results []DriverAllocationResult `json:"results,omitempty" limit:"none"`
}

// DriverAllocationResult is what was allocated for one request, and the parameters of that request.
type DriverAllocationResult struct {
	// VendorRequestParameters are the driver's parameters of the request, as they stood at allocation. Any JSON value,
	// of any size; null counts as absent. Kubernetes checks nothing about it.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	VendorRequestParameters runtime.RawExtension `json:"vendorRequestParameters,omitzero"`

	AllocationResultModel `json:",inline"`
}

// AllocationResultModel says what was allocated, in the terms of one structured model. Exactly one member is set;
// 1.30, which brought it, has only one model.
type AllocationResultModel struct {
	// NamedResources is set when the driver lists its resources by name.
	// +optional
	NamedResources *NamedResourcesAllocationResult `json:"namedResources,omitempty"`
}

// NamedResourcesAllocationResult names what was allocated.
type NamedResourcesAllocationResult struct {
	// Name of the instance, unique for its driver and node. A DNS subdomain (at most 253 bytes, dots allowed).
	// +required
	Name string `json:"name,omitempty"`
}
