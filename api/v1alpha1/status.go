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

	// ClaimbridgeLeftover is claimbridge's own: what the allocation says in a newer version and cannot say in this
	// one, so that a copy which is written back loses nothing. A JSON object in a string, one member for each step
	// between two versions. Conversion writes it whenever there is an allocation, also when nothing is left over, and
	// takes it away again on the way to the stored version, where it is stored natively.
	//
	// Users and drivers do not set it. It needs no care either: a client that does not know the field and drops it in
	// a write of the status loses nothing, because conversion then falls back on a copy in an annotation, which such a
	// write cannot touch. Kubernetes never had this field.
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
