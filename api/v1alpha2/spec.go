package v1alpha2

// ResourceClaimSpec describes the requested resource, and when it is allocated. It is immutable.
type ResourceClaimSpec struct {
	// ResourceClassName is the name of the ResourceClass, which names the driver and can have parameters. A DNS subdomain
	// (at most 253 bytes). There is no default class.
	// +required
	ResourceClassName string `json:"resourceClassName,omitempty"`

	// ParametersRef refers to an object with parameters in the driver's format. Validation doesn't check that the object
	// exists.
	// +optional
	ParametersRef *ResourceClaimParametersReference `json:"parametersRef,omitempty"`

	// AllocationMode determines when the claim is allocated: WaitForFirstConsumer, the default, or Immediate. An empty
	// value is treated as absent. The field of the same name in the requests of v1alpha3 is unrelated.
	// +optional
	// +kubebuilder:default=WaitForFirstConsumer
	AllocationMode AllocationMode `json:"allocationMode,omitempty"`
}

// AllocationMode determines when a claim is allocated. The schema accepts the empty string, because Kubernetes treats
// it as the default.
//
// +kubebuilder:validation:Enum="";WaitForFirstConsumer;Immediate
type AllocationMode string

const (
	// AllocationModeWaitForFirstConsumer allocates the claim when a pod that uses it is scheduled, for a node that fits
	// the pod.
	AllocationModeWaitForFirstConsumer AllocationMode = "WaitForFirstConsumer"

	// AllocationModeImmediate allocates the claim immediately after its creation, before a pod uses it.
	AllocationModeImmediate AllocationMode = "Immediate"
)

// ResourceClaimParametersReference refers to an object with parameters for the driver, in the namespace of the claim.
type ResourceClaimParametersReference struct {
	// APIGroup is the group of the object, without a version. It is absent for the core group.
	// +optional
	APIGroup string `json:"apiGroup,omitempty"`

	// Kind is the kind of the object, for example "ConfigMap".
	// +required
	Kind string `json:"kind,omitempty"`

	// Name is the name of the object.
	// +required
	Name string `json:"name,omitempty"`
}
