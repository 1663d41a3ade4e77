package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ResourceClaim requests devices. Its status contains the allocated devices, the nodes on which they can be used, and
// their consumers. It has all fields up to Kubernetes 1.37.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:deprecatedversion:warning="v1beta1 is the API of Kubernetes 1.32 to 1.37; use v1, the version in which claims are stored"
// +kubebuilder:resource:path=resourceclaims,singular=resourceclaim,shortName=rclaim,categories=claimbridge
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, for clusters whose API server does not serve resource.k8s.io itself"
// +kubebuilder:printcolumn:name="DeviceClassName",type=string,JSONPath=`.spec.devices.requests[0].deviceClassName`
// +kubebuilder:printcolumn:name="Driver",type=string,JSONPath=`.status.allocation.devices.results[0].driver`
// +kubebuilder:printcolumn:name="ReservedFor",type=string,JSONPath=`.status.reservedFor[0].name`
// +kubebuilder:printcolumn:name="Pool",type=string,priority=1,JSONPath=`.status.allocation.devices.results[0].pool`
// +kubebuilder:printcolumn:name="Device",type=string,priority=1,JSONPath=`.status.allocation.devices.results[0].device`
// +kubebuilder:printcolumn:name="Deallocating",type=boolean,priority=1,JSONPath=`.status.claimbridgeDeallocationRequested`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceClaim struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec describes the requested devices. It is immutable. A claim without a spec is valid, and requests nothing.
	// +optional
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
// +kubebuilder:deprecatedversion:warning="v1beta1 is the API of Kubernetes 1.32 to 1.37; use v1, the version in which claims are stored"
// +kubebuilder:resource:path=resourceclaimtemplates,singular=resourceclaimtemplate,shortName=rclaimtmpl,categories=claimbridge
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, for clusters whose API server does not serve resource.k8s.io itself"
// +kubebuilder:printcolumn:name="DeviceClassName",type=string,JSONPath=`.spec.spec.devices.requests[0].deviceClassName`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceClaimTemplate struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is standard object metadata of the template. It is not copied into claims.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec describes the claims to create. It is immutable. A template without a spec is valid: its claims request
	// nothing.
	// +optional
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
	// +optional
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
