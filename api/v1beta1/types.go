package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ResourceClaim asks for devices; its status says which ones have been allocated, where they can
// be used and who may use them. This is the shape of Kubernetes 1.37, which has all that 1.32, the
// first release to serve it, and those after it have.
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

	// Metadata is that of every Kubernetes object.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec says what is wanted. It is set when the claim is created and cannot be changed.
	// Without it nothing is asked for, which is legal.
	// +optional
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
// +kubebuilder:deprecatedversion:warning="v1beta1 is the API of Kubernetes 1.32 to 1.37; use v1, the version in which claims are stored"
// +kubebuilder:resource:path=resourceclaimtemplates,singular=resourceclaimtemplate,shortName=rclaimtmpl,categories=claimbridge
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, for clusters whose API server does not serve resource.k8s.io itself"
// +kubebuilder:printcolumn:name="DeviceClassName",type=string,JSONPath=`.spec.spec.devices.requests[0].deviceClassName`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceClaimTemplate struct {
	metav1.TypeMeta `json:",inline"`

	// Metadata is that of every Kubernetes object. It is the template's own and is not copied into claims.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec describes the claims to make. It cannot be changed.
	// Without it claims ask for nothing, which is legal.
	// +optional
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
	// +optional
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
