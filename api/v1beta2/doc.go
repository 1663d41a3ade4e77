// Package v1beta2 has the types of resource.k8s.io/v1beta2 as in Kubernetes 1.37. They are those of v1. Kubernetes 1.33
// added the version, 1.36 deprecated it, and 1.39 is planned to remove it.
//
// Go names, JSON names and list types are those of k8s.io/api/resource, so a program that uses that package only has
// to change its import path. There are two intended differences:
//
//   - Empty optional fields, including structs, are omitted when an object is written, except metadata.
//   - The status has an additional field, claimbridgeDeallocationRequested, for a request that no release since 1.32
//     can represent.
//
// The markers generate a schema that accepts every object that a Kubernetes release accepted. It checks types,
// enumerations, required fields, and numbers of list items. The rules of package validation check everything else,
// including limits in bytes, because a schema counts characters.
//
// +kubebuilder:object:generate=true
// +groupName=resource.k8s.io
package v1beta2
