package v1beta1

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
)

// The spec:
//
//	v1alpha3                               v1beta1
//	devices.requests[]                     the same; capacity, derivedAttributes and tolerations of the effect None, of
//	                                         alternatives too, are hidden
//	devices.constraints[]                  the same; distinctAttribute is hidden, and a constraint that has nothing else
//	devices.config[]                       the same
//	controller                             an entry of kind ControlPlaneClaim in devices.config

func upSpec(old *v1alpha3.ResourceClaimSpec, f chain.Form) *v1beta1.ResourceClaimSpec {
	new := &v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{
		Requests:    chain.List(old.Devices.Requests, v1alpha3.DeviceRequest.InV1beta1),
		Constraints: chain.List(old.Devices.Constraints, v1alpha3.DeviceConstraint.InV1),
		Config:      splitClaim(old.Devices.Config),
	}}
	if old.Controller != "" {
		entry := v1alpha3step.EntryOf(&ControlPlaneClaim{
			APIVersion: EntryAPIVersion, Controller: old.Controller, Kind: KindControlPlaneClaim,
		})
		new.Devices.Config = append(slices.Clip(new.Devices.Config),
			v1.DeviceClaimConfiguration{DeviceConfiguration: entry})
	}
	if f.GetsDefaults() {
		v1beta1.SetSpecDefaults(new)
	}
	return new
}

func downSpec(new *v1beta1.ResourceClaimSpec, f chain.Form) *v1alpha3.ResourceClaimSpec {
	config, old := new.Devices.Config, &v1alpha3.ResourceClaimSpec{}
	if entry, at := findControlPlaneClaim(config); entry != nil {
		old.Controller = entry.Controller
		config = slices.Concat(config[:at], config[at+1:])
	}
	old.Devices = v1alpha3.DeviceClaim{
		Requests:    chain.List(new.Devices.Requests, requestDown),
		Constraints: constraintsDown(new.Devices.Constraints),
		Config:      joinClaim(config),
	}
	if f.GetsDefaults() {
		v1alpha3.SetSpecDefaults(old)
	}
	return old
}
