// Package v1beta1 is the step from v1alpha3 to v1beta1 and back. v1alpha3 (Kubernetes 1.31 to 1.33) has the controller of a
// driver that allocates by itself, v1beta1 (1.32 to 1.37) has what 1.34 and later releases added. All else is the same.
// The two halves are spec.go and status.go, each with its table. Spec never depends on status.
package v1beta1

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

type (
	oldClaim = chain.Of[v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus]
	newClaim = chain.Of[v1beta1.ResourceClaimSpec, v1.ResourceClaimStatus]
)

// Step from v1alpha3.
var Step = chain.Step[v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus, v1beta1.ResourceClaimSpec, v1.ResourceClaimStatus]{
	Old: v1alpha3.GroupVersion.Version,
	New: v1beta1.GroupVersion.Version,

	Up:   up,
	Down: down,

	Mark: func(s *v1alpha3.ResourceClaimStatus) *string { return &s.ClaimbridgeLeftover },
	Defaults: func(spec *v1alpha3.ResourceClaimSpec, status *v1alpha3.ResourceClaimStatus) {
		if spec != nil {
			v1alpha3.SetSpecDefaults(spec)
		}
		if status != nil {
			v1alpha3.SetStatusDefaults(status)
		}
	},
	Allocated: func(s *v1alpha3.ResourceClaimStatus) bool { return s.Allocation != nil },
	Inspect:   inspect,
	Moves: []chain.Move{
		{Old: "spec.controller", New: "spec.devices.config[].opaque.parameters.controller", Note: "kind ControlPlaneClaim, which no driver reads"},
		{Old: "status.allocation.controller", New: "status.allocation.devices.config[].opaque.parameters.controller", Note: "kind ControlPlaneAllocation, which no driver reads"},
		{Old: "status.deallocationRequested", New: "status.claimbridgeDeallocationRequested", Note: "a field of claimbridge's definitions"},
	},
}

func up(old oldClaim) newClaim {
	return newClaim{
		Complete:  old.Complete,
		AsWritten: old.AsWritten,
		Spec:      upSpec(old.Spec, old.GetsDefaults()),
		Status:    upStatus(old.Status, old.GetsDefaults()),
	}
}

func down(new newClaim) oldClaim {
	return oldClaim{
		Complete:  new.Complete,
		AsWritten: new.AsWritten,
		Spec:      downSpec(new.Spec, new.GetsDefaults()),
		Status:    downStatus(new.Status, new.GetsDefaults()),
	}
}
