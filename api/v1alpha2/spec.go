package v1alpha2

// ResourceClaimSpec says what is wanted and when to allocate it. It cannot be changed.
type ResourceClaimSpec struct {
	// ResourceClassName names the ResourceClass, which names the driver and may hold parameters of the cluster's
	// administrator. A DNS subdomain (at most 253 bytes); there is no default class.
	// +required
	ResourceClassName string `json:"resourceClassName,omitempty"`

	// ParametersRef points to an object with parameters for the driver. What it holds is the driver's to define; that
	// it exists is not checked when the claim is created.
	// +optional
	ParametersRef *ResourceClaimParametersReference `json:"parametersRef,omitempty"`

	// AllocationMode says when to allocate: WaitForFirstConsumer, the default, or Immediate. Empty counts as absent.
	// It has nothing to do with the field of the same name in the requests of v1alpha3.
	// +optional
	// +kubebuilder:default=WaitForFirstConsumer
	AllocationMode AllocationMode `json:"allocationMode,omitempty"`
}

// AllocationMode says when a claim is allocated. The schema lets the empty string pass because Kubernetes did: it took
// it for the default.
//
// +kubebuilder:validation:Enum="";WaitForFirstConsumer;Immediate
type AllocationMode string

const (
	// AllocationModeWaitForFirstConsumer allocates when a pod that needs the claim is scheduled, on a node that suits
	// all that the pod needs.
	AllocationModeWaitForFirstConsumer AllocationMode = "WaitForFirstConsumer"

	// AllocationModeImmediate allocates as soon as the claim exists, before it is known which pods will use it.
	AllocationModeImmediate AllocationMode = "Immediate"
)

// ResourceClaimParametersReference names an object with the driver's parameters, in the claim's own namespace.
type ResourceClaimParametersReference struct {
	// APIGroup of the object, without a version. Absent for the core group.
	// +optional
	APIGroup string `json:"apiGroup,omitempty"`

	// Kind of the object, for example "ConfigMap".
	// +required
	Kind string `json:"kind,omitempty"`

	// Name of the object.
	// +required
	Name string `json:"name,omitempty"`
}
