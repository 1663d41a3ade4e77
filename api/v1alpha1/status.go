package v1alpha1

import corev1 "k8s.io/api/core/v1"

// ResourceClaimStatus says what was given and to whom.
type ResourceClaimStatus struct {
	// DriverName of the driver that allocates the claim, copied from the ResourceClass when allocation starts. Required
	// as soon as there is an allocation. A DNS subdomain, in upper or lower case, of at most 63 bytes. It may be
	// there before an allocation is; v1alpha3 has no place for it then.
	// +optional
	DriverName string `json:"driverName,omitempty"`

	// Allocation says what was allocated. The claim is allocated when, and only when, it is there.
	// It can be changed afterwards: 1.27 was the first release that refused to.
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
	ReservedFor []ResourceClaimConsumerReference `json:"reservedFor,omitempty"`

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

// AllocationResult says what a driver has allocated.
type AllocationResult struct {
	// ResourceHandle is what the driver's controller tells the driver's plugin on the node. Its content is the
	// driver's own. At most 16384 bytes of UTF-8. Replaced in 1.27 (v1alpha2) by a list, resourceHandles.
	// +optional
	ResourceHandle string `json:"resourceHandle,omitempty"`

	// AvailableOnNodes selects the nodes on which the resource can be used. Absent: on every node.
	// +optional
	AvailableOnNodes *corev1.NodeSelector `json:"availableOnNodes,omitempty"`

	// Shareable lets more than one consumer use the claim at a time. Absent counts as false.
	// +optional
	Shareable bool `json:"shareable,omitempty"`
}

// ResourceHandleMaxSize is how long allocation.resourceHandle may be, in bytes. A later release may raise it.
const ResourceHandleMaxSize = 16 * 1024
