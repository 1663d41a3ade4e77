// Package api has the tables of versions, releases and fields of resource.k8s.io. The types are in a package for each
// version: v1alpha1 as of Kubernetes 1.26, v1alpha2 as of 1.30, v1alpha3 as of 1.31 to 1.33, and v1beta1, v1beta2 and
// v1 as of 1.37, to which 1.38 adds no fields. The custom resource definitions in config/crd/bases are generated from
// these types. The tests of this package compare the types with Kubernetes' own, and check the definitions.
package api

//go:generate go tool -modfile=../tools/go.mod controller-gen object crd paths=./... output:crd:dir=../config/crd/bases
//go:generate go run ./internal/loosen ../config/crd/bases
