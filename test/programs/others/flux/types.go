// Package flux has the types of Flux's HelmRelease and of its sources, of which the test makes
// their definitions as Flux does: controller-gen reads the markers.
package flux

import (
	_ "github.com/fluxcd/helm-controller/api/v2"
	_ "github.com/fluxcd/source-controller/api/v1"
)
