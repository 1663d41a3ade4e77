package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ResourceClaim asks a driver, by way of a ResourceClass, for one resource; its status says whether the driver has
// allocated it, where it can be used and who may use it. This is the shape of Kubernetes 1.26, the only release that
// served it.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:deprecatedversion:warning="v1alpha1 is the API of Kubernetes 1.26; use v1, the version in which claims are stored"
// +kubebuilder:printcolumn:name="ResourceClassName",type=string,JSONPath=`.spec.resourceClassName`
// +kubebuilder:printcolumn:name="AllocationMode",type=string,JSONPath=`.spec.allocationMode`
// +kubebuilder:printcolumn:name="Driver",type=string,JSONPath=`.status.driverName`
// +kubebuilder:printcolumn:name="ReservedFor",type=string,JSONPath=`.status.reservedFor[0].name`
// +kubebuilder:printcolumn:name="Deallocating",type=boolean,priority=1,JSONPath=`.status.deallocationRequested`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceClaim struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is that of every Kubernetes object.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec says what is wanted. It is set when the claim is created and cannot be changed.
	// A claim cannot do without it: resourceClassName has no default.
	// +required
	Spec ResourceClaimSpec `json:"spec"`

	// Status says what was given and to whom. It is written by the scheduler and by drivers, through the status
	// subresource only: a status that comes with a create or with an update of the claim itself is dropped.
	// +optional
	Status ResourceClaimStatus `json:"status,omitzero"`
}

// ResourceClaimList is a list of claims.
//
// +kubebuilder:object:root=true
type ResourceClaimList struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is that of every Kubernetes list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// Items are the claims. A list without any still says so: nil is written as null, as it is by Kubernetes.
	// +required
	Items []ResourceClaim `json:"items"`
}

// ResourceClaimTemplate is what the control plane makes a claim from for each pod that names the template. It has no
// status.
//
// +kubebuilder:object:root=true
// +kubebuilder:deprecatedversion:warning="v1alpha1 is the API of Kubernetes 1.26; use v1, the version in which claims are stored"
// +kubebuilder:printcolumn:name="ResourceClassName",type=string,JSONPath=`.spec.spec.resourceClassName`
// +kubebuilder:printcolumn:name="AllocationMode",type=string,JSONPath=`.spec.spec.allocationMode`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceClaimTemplate struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is that of every Kubernetes object. It is the template's own and is not copied into claims.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec describes the claims to make. It cannot be changed.
	// A template cannot do without it: resourceClassName has no default.
	// +required
	Spec ResourceClaimTemplateSpec `json:"spec"`
}

// ResourceClaimTemplateSpec holds what the claims made from a template start with.
type ResourceClaimTemplateSpec struct {
	// Metadata may hold labels and annotations, which are copied into each claim. Every other field of it is refused
	// when the template is created; the schema keeps them so that the refusal can name them.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// Spec is copied into each claim as it is. All that is said of a claim's spec holds.
	// +required
	Spec ResourceClaimSpec `json:"spec"`
}

// ResourceClaimTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type ResourceClaimTemplateList struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is that of every Kubernetes list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// Items are the templates. A list without any still says so: nil is written as null, as it is by Kubernetes.
	// +required
	Items []ResourceClaimTemplate `json:"items"`
}
