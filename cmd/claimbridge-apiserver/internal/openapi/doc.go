// Package openapi has the schemas of what is served, and their names, which are upstream's. Those of v1beta1 and v1beta2 are made from the
// types of k8s.io/api, as the API server's own are; those of the alpha versions from the types of package api.
//
// openapi-gen writes a function a type, of all packages that a claim can reach, 25,000 lines; most are of k8s.io/api/core, for a node selector.
// prune keeps what the served kinds and discovery need.
package openapi

//go:generate go tool -modfile=../../../../tools/go.mod openapi-gen --output-dir=. --output-pkg=github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/openapi --output-file=zz_generated.openapi.go --report-filename=/dev/null --go-header-file=/dev/null k8s.io/api/resource/v1beta1 k8s.io/api/resource/v1beta2 k8s.io/api/core/v1 k8s.io/apimachinery/pkg/apis/meta/v1 k8s.io/apimachinery/pkg/runtime k8s.io/apimachinery/pkg/version k8s.io/apimachinery/pkg/api/resource github.com/claimbridge/claimbridge/api/v1 github.com/claimbridge/claimbridge/api/v1alpha1 github.com/claimbridge/claimbridge/api/v1alpha2 github.com/claimbridge/claimbridge/api/v1alpha3
//go:generate go run ./prune zz_generated.openapi.go
