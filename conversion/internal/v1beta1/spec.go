package v1beta1

import (
	"errors"
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
)

// The spec:
//
//	v1alpha3                               v1beta1
//	devices.requests[]                     the same; capacity, derivedAttributes and tolerations of the effect None, of
//	                                         alternatives too, are left over
//	devices.constraints[]                  the same; distinctAttribute is left over, and a constraint that has nothing else
//	devices.config[]                       the same
//	controller                             an entry of kind ControlPlaneClaim in devices.config

// LaterSpec is what a spec says that v1alpha3 cannot say: requests and constraints that differ are given whole.
type LaterSpec struct {
	Requests    leftover.Delta[v1beta1.DeviceRequest] `json:"requests,omitzero"`
	Constraints leftover.Delta[v1.DeviceConstraint]   `json:"constraints,omitzero"`
	// ControllerAt is the index of the ControlPlaneClaim entry among the configuration, when it is not the last.
	ControllerAt *int `json:"controllerAt,omitempty"`
}

func upSpec(old *v1alpha3.ResourceClaimSpec, left *LaterSpec, defaults bool) *v1beta1.ResourceClaimSpec {
	if old == nil {
		return nil
	}
	new := &v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{
		Requests:    chain.List(old.Devices.Requests, requestUp),
		Constraints: chain.List(old.Devices.Constraints, constraintUp),
		Config:      splitClaim(old.Devices.Config),
	}}
	at := leftover.Last
	if left != nil {
		if left.Requests != nil {
			new.Devices.Requests = left.Requests.Apply(new.Devices.Requests)
		}
		if left.Constraints != nil {
			new.Devices.Constraints = left.Constraints.Apply(new.Devices.Constraints)
		}
		if left.ControllerAt != nil {
			at = *left.ControllerAt
		}
	}
	if old.Controller != "" {
		new.Devices.Config = leftover.Insert(new.Devices.Config, at, v1.DeviceClaimConfiguration{DeviceConfiguration: entryOf(&ControlPlaneClaim{
			APIVersion: EntryAPIVersion, Controller: old.Controller, Kind: KindControlPlaneClaim,
		})})
	}
	if defaults {
		v1beta1.SetSpecDefaults(new)
	}
	return new
}

func downSpec(new *v1beta1.ResourceClaimSpec, defaults, shownOnly bool) (*v1alpha3.ResourceClaimSpec, *LaterSpec) {
	if new == nil {
		return nil, nil
	}
	config, left, some := new.Devices.Config, LaterSpec{}, false
	old := &v1alpha3.ResourceClaimSpec{}
	if entry, at := findControlPlaneClaim(config); entry != nil {
		old.Controller = entry.Controller
		if config, at = leftover.Remove(config, at); at != leftover.Last {
			left.ControllerAt, some = &at, true
		}
	}
	old.Devices = v1alpha3.DeviceClaim{
		Requests:    chain.List(new.Devices.Requests, requestDown),
		Constraints: constraintsDown(new.Devices.Constraints),
		Config:      joinClaim(config),
	}
	if defaults {
		v1alpha3.SetSpecDefaults(old)
	}
	if shownOnly {
		return old, nil
	}
	if slices.ContainsFunc(new.Devices.Requests, isLaterRequest) {
		requests := new.Devices.Requests
		if defaults {
			requests = withDefaultsSet(requests)
		}
		left.Requests, some = leftover.Differ(chain.List(old.Devices.Requests, requestUp), requests, requestKey, nil), true
	}
	if slices.ContainsFunc(new.Devices.Constraints, isLaterConstraint) {
		left.Constraints, some = leftover.Differ(chain.List(old.Devices.Constraints, constraintUp), new.Devices.Constraints, constraintKey, nil), true
	}
	if !some {
		return old, nil
	}
	found := left
	return old, &found
}

// check refuses a spec that shows another one in v1alpha3 than the old object does.
func (s *LaterSpec) check(old oldClaim) error {
	if old.Spec == nil {
		return errors.New("there is no spec to complete")
	}
	requests, constraints := chain.List(old.Spec.Devices.Requests, requestUp), chain.List(old.Spec.Devices.Constraints, constraintUp)
	if err := s.Requests.Check(requests, v1.DeviceRequestsMaxSize, nil); err != nil {
		return err
	}
	if err := s.Constraints.Check(constraints, v1.DeviceConstraintsMaxSize, nil); err != nil {
		return err
	}
	config := splitClaim(old.Spec.Devices.Config)
	if at := s.ControllerAt; at != nil && (old.Spec.Controller == "" || *at < 0 || *at >= len(config)) {
		return errors.New("controllerAt is not a place among the configuration")
	}
	shown, left := downSpec(upSpec(old.Spec, s, old.GetsDefaults()), old.GetsDefaults(), false)
	if left == nil {
		return errors.New("there is nothing to complete")
	}
	if leftover.Digest(v1alpha3step.Completed(shown)) != leftover.Digest(v1alpha3step.Completed(old.Spec)) {
		return errors.New("it shows another spec")
	}
	return nil
}
