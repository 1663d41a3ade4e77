// Package v1beta1 is the step from v1alpha3 to v1beta1 and back. v1alpha3 (Kubernetes 1.31 to 1.33)
// has the controller of a driver that allocates by itself, v1beta1 (1.32 to 1.37) has what 1.34 and
// later releases added. All else is the same. The two halves are spec.go and status.go, each with
// its table. Spec never depends on status.
package v1beta1

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

// Step from v1alpha3.
var Step = chain.Step{
	Old:      v1alpha3.GroupVersion.Version,
	OldParts: chain.PartsOf[v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus](),
	New:      v1beta1.GroupVersion.Version,
	NewParts: chain.PartsOf[v1beta1.ResourceClaimSpec, v1.ResourceClaimStatus](),

	Up:   chain.Halves(upSpec, upStatus),
	Down: chain.Halves(downSpec, downStatus),

	Mark: func(s any) *string { return &s.(*v1alpha3.ResourceClaimStatus).ClaimbridgeLeftover },
	Defaults: func(spec, status any) {
		if s, _ := spec.(*v1alpha3.ResourceClaimSpec); s != nil {
			v1alpha3.SetSpecDefaults(s)
		}
		if s, _ := status.(*v1alpha3.ResourceClaimStatus); s != nil {
			v1alpha3.SetStatusDefaults(s)
		}
	},
	Allocated: func(s any) bool { return s.(*v1alpha3.ResourceClaimStatus).Allocation != nil },
	Inspect:   inspect,
	Moves: []chain.Move{
		{
			Old:  "spec.controller",
			New:  "spec.devices.config[].opaque.parameters.controller",
			Note: "kind ControlPlaneClaim, which no driver reads",
		},
		{
			Old:  "status.allocation.controller",
			New:  "status.allocation.devices.config[].opaque.parameters.controller",
			Note: "kind ControlPlaneAllocation, which no driver reads",
		},
		{
			Old:  "status.deallocationRequested",
			New:  "status.claimbridgeDeallocationRequested",
			Note: "a field of claimbridge's definitions",
		},
	},
}
