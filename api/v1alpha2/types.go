package v1alpha2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ResourceClaim requests one resource of a ResourceClass from its driver. Its status contains the allocation, the nodes
// on which the resource can be used, and its consumers. It has the fields of Kubernetes 1.30, the last release that
// served the version.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:deprecatedversion:warning="v1alpha2 is the API of Kubernetes 1.27 to 1.30; use v1, the version in which claims are stored"
// +kubebuilder:printcolumn:name="ResourceClassName",type=string,JSONPath=`.spec.resourceClassName`
// +kubebuilder:printcolumn:name="AllocationMode",type=string,JSONPath=`.spec.allocationMode`
// +kubebuilder:printcolumn:name="Driver",type=string,JSONPath=`.status.driverName`
// +kubebuilder:printcolumn:name="ReservedFor",type=string,JSONPath=`.status.reservedFor[0].name`
// +kubebuilder:printcolumn:name="Deallocating",type=boolean,priority=1,JSONPath=`.status.deallocationRequested`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceClaim struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec describes the requested resource. It is immutable. It is required, because resourceClassName has no default.
	// +required
	Spec ResourceClaimSpec `json:"spec"`

	// Status describes the allocation and its consumers. The scheduler and drivers write it through the status
	// subresource. A status in a create, or in an update of the main resource, is dropped.
	// +optional
	Status ResourceClaimStatus `json:"status,omitzero"`
}

// ResourceClaimList is a list of claims.
//
// +kubebuilder:object:root=true
type ResourceClaimList struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// Items are the claims. A nil list is written as null, as by Kubernetes.
	// +required
	Items []ResourceClaim `json:"items"`
}

// ResourceClaimTemplate is a template from which the control plane creates a claim for each pod that refers to it. It
// has no status.
//
// +kubebuilder:object:root=true
// +kubebuilder:deprecatedversion:warning="v1alpha2 is the API of Kubernetes 1.27 to 1.30; use v1, the version in which claims are stored"
// +kubebuilder:printcolumn:name="ResourceClassName",type=string,JSONPath=`.spec.spec.resourceClassName`
// +kubebuilder:printcolumn:name="AllocationMode",type=string,JSONPath=`.spec.spec.allocationMode`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceClaimTemplate struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is standard object metadata of the template. It is not copied into claims.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec describes the claims to create. It is immutable. It is required, because resourceClassName has no default.
	// +required
	Spec ResourceClaimTemplateSpec `json:"spec"`
}

// ResourceClaimTemplateSpec contains the metadata and the spec of claims that are created from a template.
type ResourceClaimTemplateSpec struct {
	// Metadata can contain labels and annotations, which are copied into each claim. Validation rejects a template with
	// other fields. The schema keeps these fields, so that the error can name them.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// Spec is copied unchanged into each claim. The same rules apply as to the spec of a claim.
	// +required
	Spec ResourceClaimSpec `json:"spec"`
}

// ResourceClaimTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type ResourceClaimTemplateList struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// Items are the templates. A nil list is written as null, as by Kubernetes.
	// +required
	Items []ResourceClaimTemplate `json:"items"`
}
