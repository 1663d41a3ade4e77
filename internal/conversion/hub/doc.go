// Package hub converts claims between v1, the hub, and each older version.
//
// Every conversion is a pair of functions over typed structs, one file per direction:
//
//	v1alpha1_to_v1alpha2.go   v1alpha2_to_v1alpha1.go
//	v1alpha2_to_v1alpha3.go   v1alpha3_to_v1alpha2.go
//	v1alpha3_to_v1.go         v1_to_v1alpha3.go
//	v1beta1_to_v1.go          v1_to_v1beta1.go
//
// v1beta2 has the types of v1. v1alpha1 and v1alpha2 reach v1 through v1alpha3.
//
// Data that only an older version can represent is stored in v1 itself, as opaque device
// configuration for the driver claimbridge.dev: see classic_entries.go for v1alpha1 and v1alpha2,
// and control_plane_entries.go for v1alpha3. Data that only v1 can represent is not visible in an
// older version. Package preserve keeps it.
//
// The functions do not change their input. Their output may share memory with it. The spec never depends on the status.
package hub
