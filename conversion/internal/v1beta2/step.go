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
// It is what Kubernetes does, but for the last row, which keeps an exactly without members: in-tree
// defaults fill one in before it is converted.
package v1beta2

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	v1step "github.com/claimbridge/claimbridge/conversion/internal/v1"
)

// Step from v1beta1.
var Step = chain.Step{
	Old: v1beta1.GroupVersion.Version, OldParts: chain.PartsOf[v1beta1.ResourceClaimSpec, v1.ResourceClaimStatus](),
	New: v1beta2.GroupVersion.Version, NewParts: v1step.Parts,
	Up:    chain.Halves(upSpec, v1step.CompletedStatus),
	Down:  chain.Halves(downSpec, v1step.CompletedStatus),
	Moves: moves(),
}

// moves of all that a request asks for.
func moves() (all []chain.Move) {
	for _, name := range v1.FieldsOfExactly() {
		all = append(all, chain.Move{
			Old: "spec.devices.requests[]." + name,
			New: "spec.devices.requests[].exactly." + name,
		})
	}
	return all
}

func upSpec(old *v1beta1.ResourceClaimSpec, f chain.Form) *v1.ResourceClaimSpec {
	return v1step.CompletedSpec(&v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
		Requests:    chain.List(old.Devices.Requests, requestUp),
		Constraints: old.Devices.Constraints,
		Config:      old.Devices.Config,
	}}, f)
}

func downSpec(new *v1.ResourceClaimSpec, f chain.Form) *v1beta1.ResourceClaimSpec {
	old := &v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{
		Requests:    chain.List(new.Devices.Requests, requestDown),
		Constraints: new.Devices.Constraints,
		Config:      new.Devices.Config,
	}}
	if f.GetsDefaults() {
		v1beta1.SetSpecDefaults(old)
	}
	return old
}
