package v1alpha1

import corev1 "k8s.io/api/core/v1"

// ResourceClaimStatus describes the allocation of a claim and its consumers.
type ResourceClaimStatus struct {
	// DriverName is the name of the driver that allocates the claim, copied from the ResourceClass when the allocation
	// starts. It is required if there is an allocation. A DNS subdomain, in upper or lower case, of at most 63 bytes.
	// v1alpha3 and later have no field for it without an allocation.
	// +optional
	DriverName string `json:"driverName,omitempty"`

	// Allocation is set if the claim is allocated. Kubernetes 1.26 allowed changes. claimbridge allows only to set and to
	// remove it, because it is immutable in v1.
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
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty"`

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

// AllocationResult describes the allocation of a driver.
type AllocationResult struct {
	// ResourceHandle is data from the driver's controller for the driver's plugin on the node, in the driver's format. It
	// has at most 16384 bytes of UTF-8. v1alpha2 (1.27) replaced it by a list, resourceHandles.
	// +optional
	ResourceHandle string `json:"resourceHandle,omitempty"`

	// AvailableOnNodes selects the nodes on which the resource can be used. If it is absent, it can be used on every node.
	// +optional
	AvailableOnNodes *corev1.NodeSelector `json:"availableOnNodes,omitempty"`

	// Shareable allows several consumers to use the claim at the same time. Absent means false.
	// +optional
	Shareable bool `json:"shareable,omitempty"`
}

// ResourceHandleMaxSize is the maximum length of allocation.resourceHandle in bytes.
const ResourceHandleMaxSize = 16 * 1024
