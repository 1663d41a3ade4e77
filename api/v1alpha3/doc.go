// Package v1alpha3 has the types of resource.k8s.io/v1alpha3 as in Kubernetes 1.31 to 1.33. It has the fields of all
// three releases, which no single release has: controller and deallocationRequested, which 1.32 removed, status.devices
// and adminAccess of results, which 1.32 added, and firstAvailable and tolerations, which 1.33 added.
//
// Go names, JSON names and list types are those of k8s.io/api/resource, so a program that uses that package only has
// to change its import path. There are two intended differences:
//
//   - Empty optional fields, including structs, are omitted when an object is written, except metadata.
//   - v1alpha1, v1alpha2 and v1alpha3 have an additional field, status.claimbridgeLeftover.
//
// The markers generate a schema that accepts every object that a Kubernetes release accepted. It checks types,
// enumerations, required fields, and numbers of list items. The rules of package validation check everything else,
// including limits in bytes, because a schema counts characters.
//
// +kubebuilder:object:generate=true
// +groupName=resource.k8s.io
package v1alpha3
