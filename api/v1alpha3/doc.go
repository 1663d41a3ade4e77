// Package v1alpha3 holds ResourceClaim and ResourceClaimTemplate as Kubernetes 1.31, 1.32 and 1.33 had them in
// resource.k8s.io/v1alpha3: with controller and deallocationRequested, which 1.32 dropped, and with what 1.32
// (status.devices, adminAccess of results) and 1.33 (firstAvailable, tolerations) added. No release has all of it.
//
// Go names, JSON names and list types are upstream's, so that a program changes its import and nothing else. Two things
// differ on purpose. Every optional field is left out when it is empty, structs included: what was absent stays absent
// when an object is written, but for an object's metadata, which is always there ({} when empty), as Kubernetes has it.
// And v1alpha1, v1alpha2 and v1alpha3 have one field more: status.claimbridgeLeftover.
//
// The markers make a schema that never refuses what a Kubernetes release accepted: types, enumerations, what must be
// there, and how many items a list may have. All else is for the rules of package validation, limits in bytes included,
// since a schema counts characters.
//
// +kubebuilder:object:generate=true
// +groupName=resource.k8s.io
package v1alpha3
