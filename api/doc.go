// Package api is the home of the API types, a package for each version of resource.k8s.io: v1alpha1
// as of Kubernetes 1.26, v1alpha2 as of 1.30, v1alpha3 as of 1.31 to 1.33, v1beta1, v1beta2 and v1
// as of 1.37. It holds the table of these versions itself, and the tests that compare the types
// with upstream's and check the custom resource definitions generated from them, in
// config/crd/bases.
package api

//go:generate go tool -modfile=../tools/go.mod controller-gen object crd paths=./... output:crd:dir=../config/crd/bases
//go:generate go run ./internal/loosen ../config/crd/bases
