//go:build !from_1_33

package resourceclaimtemplate

import upstream "k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"

var Strategy = newStrategy(upstream.Strategy)
