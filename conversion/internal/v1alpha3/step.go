// Package v1alpha3 is the step from v1alpha2 to v1alpha3 and back, the cliff: v1alpha2 (Kubernetes 1.27 to 1.30) speaks of a
// class and of handles, v1alpha3 (1.31) of requests, devices and their configuration. The two halves are spec.go and
// status.go, each with its table. Spec never depends on status.
package v1alpha3

import (
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	classic "github.com/claimbridge/claimbridge/conversion/internal/v1alpha2"
)

type (
	oldClaim = chain.Of[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus]
	newClaim = chain.Of[v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus]
)

// Step from v1alpha2.
var Step = chain.Step[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus, v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus]{
	Old: v1alpha2.GroupVersion.Version,
	New: v1alpha3.GroupVersion.Version,

	Up:   up,
	Down: down,

	NamesNoRequest: true,

	Mark: func(s *v1alpha2.ResourceClaimStatus) *string { return &s.ClaimbridgeLeftover },
	Defaults: func(spec *v1alpha2.ResourceClaimSpec, _ *v1alpha2.ResourceClaimStatus) {
		if spec != nil {
			v1alpha2.SetSpecDefaults(spec)
		}
	},
	Allocated: func(s *v1alpha2.ResourceClaimStatus) bool { return s.Allocation != nil },
	RefuseOld: func(old oldClaim) error { return classic.RefuseHandles(old.Status) },
	Lost: func(old oldClaim) []string {
		if old.Status != nil && old.Status.Allocation == nil && old.Status.DriverName != "" {
			return []string{"status.driverName"}
		}
		return nil
	},
	Inspect: inspect,
	Moves:   moves,
}

func up(old oldClaim) newClaim {
	new := newClaim{Complete: old.Complete, AsWritten: old.AsWritten}
	if new.Spec = upSpec(old.Spec, old.Complete); new.Spec != nil && new.GetsDefaults() {
		v1alpha3.SetSpecDefaults(new.Spec)
	}
	request := requestName
	switch {
	case old.Request != "":
		request = old.Request
	case new.Spec != nil && new.Complete:
		request = firstRequest(new.Spec)
	}
	if s := old.Status; s != nil {
		new.Status = &v1alpha3.ResourceClaimStatus{
			Allocation:            upAllocation(s, request, old.Complete),
			ReservedFor:           s.ReservedFor,
			DeallocationRequested: s.DeallocationRequested,
		}
	}
	return new
}

func down(new newClaim) oldClaim {
	old := oldClaim{Complete: new.Complete, AsWritten: new.AsWritten, Spec: downSpec(new.Spec, new.Complete)}
	if old.Spec != nil && old.GetsDefaults() {
		v1alpha2.SetSpecDefaults(old.Spec)
	}
	if s := new.Status; s != nil {
		old.Status = &v1alpha2.ResourceClaimStatus{
			ReservedFor:           s.ReservedFor,
			DeallocationRequested: s.DeallocationRequested,
		}
		if s.Allocation != nil {
			downAllocation(old.Status, s.Allocation, new.Complete)
		}
	}
	return old
}
