//go:build !from_1_33

package resourceclaim

import upstream "k8s.io/kubernetes/pkg/registry/resource/resourceclaim"

var (
	Strategy       = newStrategy(upstream.Strategy, upstream.StatusStrategy)
	StatusStrategy = NewStatusStrategy(Strategy)
)
