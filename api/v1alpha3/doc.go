// Package v1alpha3 holds ResourceClaim and ResourceClaimTemplate as Kubernetes 1.31, the first release to serve
// resource.k8s.io/v1alpha3, had them: with controller and deallocationRequested, which 1.32 dropped, and without
// what 1.32 (status.devices) and 1.33 (firstAvailable, tolerations) added.
//
// Go names, JSON names and list types are upstream's, so that a program changes its import and nothing else. Two things
// differ on purpose. Every optional field is left out when it is empty, structs included: what was absent stays absent
// when an object is written, but for an object's metadata, which is always there ({} when empty), as Kubernetes has it.
// And the older versions, v1alpha1 and v1alpha2, have one field more: status.claimbridgeLeftover.
//
// The markers make a schema that never refuses what a Kubernetes release accepted: types, enumerations, what must be
// there, and how many items a list may have. All else is for the rules of package validation, limits in bytes included,
// since a schema counts characters.
//
// Fields that later releases added to the version are in the schema too, as any JSON, so that a write which has one is
// refused by a rule instead of losing it silently; the table of versions in package api lists them.
//
// +kubebuilder:object:generate=true
// +groupName=resource.k8s.io
package v1alpha3
