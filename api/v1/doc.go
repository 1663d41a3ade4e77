// Package v1 holds ResourceClaim and ResourceClaimTemplate as resource.k8s.io/v1 of Kubernetes
// 1.37 has them. It came with 1.34, and later releases only added fields.
//
// Go names, JSON names and list types are upstream's, so that a program changes its import and nothing else. Two things
// differ on purpose. Every optional field is left out when it is empty, structs included: what was absent stays absent
// when an object is written, but for an object's metadata, which is always there ({} when empty), as Kubernetes has it.
// And the status has one field more, for what no release from 1.32 on can say: claimbridgeDeallocationRequested.
//
// The markers make a schema that never refuses what a Kubernetes release accepted: types, enumerations, what must be
// there, and how many items a list may have. All else is for the rules of package validation, limits in bytes included,
// since a schema counts characters.
//
// +kubebuilder:object:generate=true
// +groupName=resource.k8s.io
package v1
