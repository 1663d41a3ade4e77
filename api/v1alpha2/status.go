package v1alpha2

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ResourceClaimStatus describes the allocation of a claim and its consumers.
type ResourceClaimStatus struct {
	// DriverName is the name of the driver that allocates the claim, copied from the ResourceClass when the allocation
	// starts. It is required if there is an allocation. A DNS subdomain, in upper or lower case, of at most 63 bytes.
	// v1alpha3 and later have no field for it without an allocation.
	// +optional
	DriverName string `json:"driverName,omitempty"`

	// Allocation is set if the claim is allocated. It can be removed, but not changed.
	// +optional
	Allocation *AllocationResult `json:"allocation,omitempty"`

	// ReservedFor lists the consumers of the claim. The kubelet starts only pods in this list. It has at most 32 entries
	// with unique UIDs, none without an allocation, and at most one if the allocation is not shareable. No entry can be
	// added while the claim is being deleted or deallocationRequested is set. Server-side apply merges by UID, a merge
	// patch replaces the list.
	// +optional
	// +listType=map
	// +listMapKey=uid
	// +kubebuilder:validation:MaxItems=256
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty" patchStrategy:"merge" patchMergeKey:"uid"`

	// DeallocationRequested asks the driver to deallocate the claim. The driver then clears this field together
	// with the allocation. It cannot be set without an allocation, or while the claim is reserved. It cannot be cleared
	// while there is an allocation.
	// +optional
	DeallocationRequested bool `json:"deallocationRequested,omitempty"`

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

// ResourceClaimReservedForMaxSize is the maximum number of entries of status.reservedFor.
const ResourceClaimReservedForMaxSize = 32

// AllocationResult describes an allocation by drivers, or by the scheduler for them.
type AllocationResult struct {
	// ResourceHandles contains data for the drivers' plugins on the node. There are at most 32 entries. A driver can have
	// several. Without entries, the plugin of status.driverName is called without data. v1alpha1 (1.26) has a single
	// string instead, resourceHandle.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	ResourceHandles []ResourceHandle `json:"resourceHandles,omitempty"`

	// AvailableOnNodes selects the nodes on which the resource can be used. If it is absent, it can be used on every node.
	// +optional
	AvailableOnNodes *corev1.NodeSelector `json:"availableOnNodes,omitempty"`

	// Shareable allows several consumers to use the claim at the same time. Absent means false.
	// +optional
	Shareable bool `json:"shareable,omitempty"`
}

// AllocationResultResourceHandlesMaxSize is the maximum number of entries of allocation.resourceHandles.
const AllocationResultResourceHandlesMaxSize = 32

// ResourceHandle contains data for the plugin of one driver on the node: data or structuredData, but not both.
type ResourceHandle struct {
	// DriverName is the name of the driver whose plugin is called. It can differ from status.driverName. It is required,
	// which a validation rule checks. A DNS subdomain, in upper or lower case, of at most 63 bytes.
	// +optional
	DriverName string `json:"driverName,omitempty"`

	// Data is data from the controller that allocated the claim, in the driver's format. It has at most 16384 bytes of
	// UTF-8.
	// +optional
	Data string `json:"data,omitempty"`

	// StructuredData is set if the scheduler allocated the claim, without a controller of the driver. Since 1.30.
	// +optional
	StructuredData *StructuredResourceHandle `json:"structuredData,omitempty"`
}

// ResourceHandleDataMaxSize is the maximum length of the data of a handle in bytes.
const ResourceHandleDataMaxSize = 16 * 1024

// StructuredResourceHandle describes the resources of one driver that the scheduler allocated. Since 1.30. v1alpha3
// (1.31) replaced it by allocation.devices.
type StructuredResourceHandle struct {
	// VendorClassParameters are the driver's parameters from the ResourceClass at the time of the allocation: any JSON
	// value of any size. null is treated as absent. Kubernetes doesn't validate it.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	VendorClassParameters runtime.RawExtension `json:"vendorClassParameters,omitzero"`

	// VendorClaimParameters are the driver's parameters from the claim at the time of the allocation: any JSON value of
	// any size. null is treated as absent. Kubernetes doesn't validate it.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	VendorClaimParameters runtime.RawExtension `json:"vendorClaimParameters,omitzero"`

	// NodeName is the node of the resources. It is absent if they don't belong to a node. A DNS subdomain.
	// +optional
	NodeName string `json:"nodeName,omitempty"`

	// Results lists the allocated resources, one for each request. Their number is not limited. The field is optional,
	// because Go clients of Kubernetes write null for an empty list, which its validation accepts.
	// +optional
	// +listType=atomic
	Results []DriverAllocationResult `json:"results,omitempty" limit:"none"`
}

// DriverAllocationResult describes the resource that was allocated for one request, and the parameters of that request.
type DriverAllocationResult struct {
	// VendorRequestParameters are the driver's parameters of the request at the time of the allocation: any JSON value of
	// any size. null is treated as absent. Kubernetes doesn't validate it.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	VendorRequestParameters runtime.RawExtension `json:"vendorRequestParameters,omitzero"`

	AllocationResultModel `json:",inline"`
}

// AllocationResultModel describes an allocated resource in one structured model. Exactly one field is set. Kubernetes
// 1.30 has only one model.
type AllocationResultModel struct {
	// NamedResources is set if the driver lists its resources by name.
	// +optional
	NamedResources *NamedResourcesAllocationResult `json:"namedResources,omitempty"`
}

// NamedResourcesAllocationResult is the name of an allocated resource.
type NamedResourcesAllocationResult struct {
	// Name is the name of the resource, unique for its driver and node. A DNS subdomain (at most 253 bytes, dots allowed).
	// +required
	Name string `json:"name,omitempty"`
}
