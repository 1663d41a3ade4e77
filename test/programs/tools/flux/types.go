// Package flux imports the types of Flux's HelmRelease and of its sources. From these, a test generates their custom
// resource definitions with controller-gen, like Flux.
package flux

import (
	_ "github.com/fluxcd/helm-controller/api/v2"
	_ "github.com/fluxcd/source-controller/api/v1"
)
