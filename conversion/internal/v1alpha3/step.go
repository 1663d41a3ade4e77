// Package v1alpha3 is the step from v1alpha2 to v1alpha3 and back, the cliff: v1alpha2 (Kubernetes 1.27 to 1.30) speaks of a
// class and of handles, v1alpha3 (1.31) of requests, devices and their configuration. The two halves are spec.go and
// status.go, each with its table. Spec never depends on status.
package v1alpha3

import (
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	classic "github.com/claimbridge/claimbridge/conversion/internal/v1alpha2"
)

type (
	oldClaim = chain.Of[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus]
	newClaim = chain.Of[v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus]
	newOnly  = chain.NewOnly[StructuredSpec, StructuredAllocation]
)

// Step from v1alpha2.
var Step = chain.Step[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus, v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus, StructuredSpec, StructuredAllocation]{
	Old:   v1alpha2.GroupVersion.Version,
	New:   v1alpha3.GroupVersion.Version,
	Codec: Codec,

	Up:   up,
	Down: down,

	VisibleSpec: func(old oldClaim) any {
		if old.Spec == nil {
			return nil
		}
		spec := *old.Spec
		v1alpha2.SetSpecDefaults(&spec)
		return &spec
	},
	VisibleStatus: func(old oldClaim) any {
		if old.Status == nil {
			return nil
		}
		if old.Status.Allocation == nil {
			return &v1alpha2.ResourceClaimStatus{}
		}
		return &v1alpha2.ResourceClaimStatus{DriverName: old.Status.DriverName, Allocation: old.Status.Allocation}
	},
	CheckSpec: func(old oldClaim, left *StructuredSpec) error { return left.check(old.Spec, old.Complete) },
	CheckStatus: func(old oldClaim, left *StructuredAllocation) error {
		if old.Status.Allocation == nil {
			return left.checkUnallocated()
		}
		native, _ := nativeAllocationUp(old.Status, requestName)
		return left.check(native)
	},
	NamesNoRequest: true,

	Mark: func(s *v1alpha2.ResourceClaimStatus) *string { return &s.ClaimbridgeLeftover },
	Defaults: func(spec *v1alpha2.ResourceClaimSpec, _ *v1alpha2.ResourceClaimStatus) {
		if spec != nil {
			v1alpha2.SetSpecDefaults(spec)
		}
	},
	Field: func(s *v1alpha2.ResourceClaimStatus) *string {
		if s.Allocation == nil {
			s.ClaimbridgeLeftover = ""
			return nil
		}
		return &s.ClaimbridgeLeftover
	},
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

func up(old oldClaim, left newOnly) newClaim {
	new := newClaim{Complete: old.Complete, AsWritten: old.AsWritten}
	if new.Spec = upSpec(old.Spec, left.Spec, old.Complete); new.Spec != nil && new.GetsDefaults() {
		v1alpha3.SetSpecDefaults(new.Spec)
	}
	request := requestName
	switch {
	case old.Request != "":
		request = old.Request
	case new.Spec != nil && new.Complete && !left.Settled:
		request = firstRequest(new.Spec)
	}
	if s := old.Status; s != nil {
		new.Status = &v1alpha3.ResourceClaimStatus{
			Allocation:            upAllocation(s, left.Status, request, old.Complete),
			ReservedFor:           chain.List(s.ReservedFor, consumerUp),
			DeallocationRequested: s.DeallocationRequested,
		}
		if left.Status != nil {
			new.Status.Devices = left.Status.Devices
		}
	}
	return new
}

func down(new newClaim) (old oldClaim, left newOnly, unused []leftover.Ignored) {
	old.Complete, old.AsWritten = new.Complete, new.AsWritten
	if new.GetsDefaults() { // what is left over has them whether they were stored or not
		new.Spec = Completed(new.Spec)
	}
	if old.Spec, left.Spec = downSpec(new.Spec, new.Complete); old.Spec != nil && old.GetsDefaults() {
		v1alpha2.SetSpecDefaults(old.Spec)
	}
	if s := new.Status; s != nil {
		old.Status = &v1alpha2.ResourceClaimStatus{
			ReservedFor:           chain.List(s.ReservedFor, consumerDown),
			DeallocationRequested: s.DeallocationRequested,
		}
		if s.Allocation != nil {
			left.Status, unused = downAllocation(old.Status, s, left.Spec == nil, new.Complete, new.ShownOnly)
		} else if len(s.Devices) > 0 {
			left.Status = &StructuredAllocation{Devices: s.Devices}
		}
	}
	return old, left, unused
}

func consumerUp(c v1alpha2.ResourceClaimConsumerReference) v1alpha3.ResourceClaimConsumerReference {
	return v1alpha3.ResourceClaimConsumerReference(c)
}

func consumerDown(c v1alpha3.ResourceClaimConsumerReference) v1alpha2.ResourceClaimConsumerReference {
	return v1alpha2.ResourceClaimConsumerReference(c)
}
