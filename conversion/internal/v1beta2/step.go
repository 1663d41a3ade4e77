// Package v1beta2 is the step from v1beta1 to v1beta2 and back: a request of v1beta1 has the fields that v1beta2 has in
// exactly. All else is the same.
//
//	v1beta1                                    v1beta2
//	requests[].name, firstAvailable            the same
//	requests[].deviceClassName, selectors,     requests[].exactly, when one of them is set
//	  allocationMode, count, adminAccess,
//	  tolerations, capacity, derivedAttributes
//	allocationMode: ExactCount, count: 1       exactly: {}
//
// It is what Kubernetes does, but for the last row, which keeps an exactly without members: in-tree defaults fill one in
// before it is converted.
package v1beta2

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	v1step "github.com/claimbridge/claimbridge/conversion/internal/v1"
)

type (
	oldClaim = chain.Of[v1beta1.ResourceClaimSpec, v1.ResourceClaimStatus]
	newClaim = chain.Of[v1.ResourceClaimSpec, v1.ResourceClaimStatus]
)

// Step from v1beta1.
var Step = chain.Step[v1beta1.ResourceClaimSpec, v1.ResourceClaimStatus, v1.ResourceClaimSpec, v1.ResourceClaimStatus]{
	Old:   v1beta1.GroupVersion.Version,
	New:   v1beta2.GroupVersion.Version,
	Up:    up,
	Down:  down,
	Moves: moves(),
}

// moves of all that a request asks for.
func moves() (all []chain.Move) {
	for _, name := range v1.FieldsOfExactly() {
		all = append(all, chain.Move{Old: "spec.devices.requests[]." + name, New: "spec.devices.requests[].exactly." + name})
	}
	return all
}

func up(old oldClaim) newClaim {
	new := newClaim{Complete: old.Complete, AsWritten: old.AsWritten, Status: old.Status}
	if old.Spec != nil {
		new.Spec = &v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
			Requests: chain.List(old.Spec.Devices.Requests, requestUp), Constraints: old.Spec.Devices.Constraints, Config: old.Spec.Devices.Config,
		}}
	}
	return v1step.Completed(new)
}

func down(new newClaim) oldClaim {
	old := oldClaim{Complete: new.Complete, AsWritten: new.AsWritten, Status: new.Status}
	if old.GetsDefaults() {
		old.Status = v1step.CompletedStatus(new.Status)
	}
	if new.Spec != nil {
		old.Spec = &v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{
			Requests: chain.List(new.Spec.Devices.Requests, requestDown), Constraints: new.Spec.Devices.Constraints, Config: new.Spec.Devices.Config,
		}}
		if old.GetsDefaults() {
			v1beta1.SetSpecDefaults(old.Spec)
		}
	}
	return old
}
