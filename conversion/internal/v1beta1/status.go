package v1beta1

import (
	"errors"
	"reflect"
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1step "github.com/claimbridge/claimbridge/conversion/internal/v1"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/kjson/codec"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The status:
//
//	v1alpha3                               v1beta1
//	allocation.devices.results[]           the same; what 1.34 and later releases added to a result is left over
//	allocation.devices.config[]            the same; entries of ours that are larger than 10,240 bytes are in parts
//	allocation.nodeSelector                the same
//	allocation.controller                  an entry of kind ControlPlaneAllocation in allocation.devices.config; without
//	                                         one the scheduler allocated
//	reservedFor                            the same
//	deallocationRequested                  claimbridgeDeallocationRequested
//	devices[]                              the same; those of a share of a device, and allocation.allocationTimestamp, are
//	                                         left over

// LaterStatus is what a status says that v1alpha3 cannot say.
type LaterStatus struct {
	Results             leftover.Delta[v1.DeviceRequestAllocationResult] `json:"results,omitzero"`
	AllocationTimestamp *metav1.Time                                     `json:"allocationTimestamp,omitempty"`
	// Shares are what drivers report of shares, each with its index in the whole list. Other devices may have been reported
	// since: then it is where it still fits.
	Shares []Share `json:"shares,omitempty"`
	// ControllerAt is the index of the ControlPlaneAllocation entry among the configuration, when it is not the last.
	ControllerAt *int `json:"controllerAt,omitempty"`
}

// Share is what a driver reports of a share of a device.
type Share struct {
	At     int                      `json:"at"`
	Device v1.AllocatedDeviceStatus `json:"device"`
}

func upStatus(old *v1alpha3.ResourceClaimStatus, left *LaterStatus, defaults bool) *v1.ResourceClaimStatus {
	if old == nil {
		return nil
	}
	new := &v1.ResourceClaimStatus{
		Allocation:                       upAllocation(old.Allocation, left),
		ReservedFor:                      old.ReservedFor,
		Devices:                          chain.List(old.Devices, deviceUp),
		ClaimbridgeDeallocationRequested: old.DeallocationRequested,
	}
	if left != nil {
		for _, s := range left.Shares {
			new.Devices = slices.Insert(new.Devices, min(s.At, len(new.Devices)), s.Device)
		}
	}
	if defaults {
		v1.SetStatusDefaults(new)
	}
	return new
}

func upAllocation(old *v1alpha3.AllocationResult, left *LaterStatus) *v1.AllocationResult {
	if old == nil {
		return nil
	}
	new := &v1.AllocationResult{NodeSelector: old.NodeSelector, Devices: v1.DeviceAllocationResult{
		Results: chain.List(old.Devices.Results, resultUp), Config: splitAllocation(old.Devices.Config),
	}}
	at := leftover.Last
	if left != nil {
		if left.Results != nil {
			new.Devices.Results = left.Results.Apply(new.Devices.Results)
		}
		new.AllocationTimestamp = left.AllocationTimestamp
		if left.ControllerAt != nil {
			at = *left.ControllerAt
		}
	}
	if old.Controller != "" {
		new.Devices.Config = leftover.Insert(new.Devices.Config, at, controlPlaneAllocation(old))
	}
	return new
}

func downStatus(new *v1.ResourceClaimStatus, defaults, shownOnly bool) (*v1alpha3.ResourceClaimStatus, *LaterStatus, []leftover.Ignored) {
	if new == nil {
		return nil, nil, nil
	}
	if defaults {
		new = v1step.CompletedStatus(new)
	}
	old := &v1alpha3.ResourceClaimStatus{ReservedFor: new.ReservedFor, DeallocationRequested: new.ClaimbridgeDeallocationRequested}
	var left LaterStatus
	old.Devices, left.Shares = devicesDown(new.Devices)
	some := len(left.Shares) > 0
	var unused []leftover.Ignored
	if a := new.Allocation; a != nil {
		allocation, at, stale := allocationDown(a)
		old.Allocation = allocation
		if at != leftover.Last {
			left.ControllerAt, some = &at, true
		}
		if stale {
			unused = []leftover.Ignored{{Kind: leftover.Status, Field: "status.allocation.devices.config",
				Why: "the entry of kind " + KindControlPlaneAllocation + " is malformed or completes another allocation", Stale: true}}
		}
		if !shownOnly && slices.ContainsFunc(a.Devices.Results, isLaterResult) {
			native := chain.List(allocation.Devices.Results, resultUp)
			left.Results, some = leftover.Differ(native, a.Devices.Results, resultKey, nil), true
		}
		if a.AllocationTimestamp != nil {
			left.AllocationTimestamp, some = a.AllocationTimestamp, true
		}
	}
	if !some {
		return old, nil, unused
	}
	found := left
	return old, &found, unused
}

// allocationDown also gives the index of the entry of the controller, last when it is that or not there, and whether one is
// there that cannot be used.
func allocationDown(new *v1.AllocationResult) (old *v1alpha3.AllocationResult, at int, stale bool) {
	old = &v1alpha3.AllocationResult{NodeSelector: new.NodeSelector, Devices: v1alpha3.DeviceAllocationResult{
		Results: chain.List(new.Devices.Results, resultDown),
	}}
	config := new.Devices.Config
	found, at := findControlPlaneAllocation(config)
	if found == nil {
		old.Devices.Config = joinAllocation(config)
		return old, leftover.Last, at != leftover.Last
	}
	rest, place := leftover.Remove(config, at)
	old.Devices.Config = joinAllocation(rest)
	if found.Digest != leftover.Digest(visible(old)) {
		old.Devices.Config = joinAllocation(config)
		return old, leftover.Last, true
	}
	old.Controller = found.Controller
	return old, place, false
}

// visible is an allocation as a digest sees it: with the defaults that an API server sets.
func visible(a *v1alpha3.AllocationResult) *v1alpha3.AllocationResult {
	for _, r := range a.Devices.Results {
		if slices.ContainsFunc(r.Tolerations, func(t v1alpha3.DeviceToleration) bool { return t.Operator == "" }) {
			status := &v1alpha3.ResourceClaimStatus{Allocation: a.DeepCopy()}
			v1alpha3.SetStatusDefaults(status)
			return status.Allocation
		}
	}
	return a
}

// check refuses a status that shows another allocation in v1alpha3 than the old object does.
func (s *LaterStatus) check(old *v1alpha3.ResourceClaimStatus) error {
	for _, share := range s.Shares {
		if share.At < 0 || share.Device.ShareID == nil {
			return errors.New("a share is not one, or has no place")
		}
	}
	if old.Allocation == nil {
		if len(s.Shares) == 0 || !reflect.DeepEqual(*s, LaterStatus{Shares: s.Shares}) {
			return errors.New("there is no allocation to complete")
		}
		return nil
	}
	if err := s.Results.Check(chain.List(old.Allocation.Devices.Results, resultUp), v1.AllocationResultsMaxSize, nil); err != nil {
		return err
	}
	config := splitAllocation(old.Allocation.Devices.Config)
	if at := s.ControllerAt; at != nil && (old.Allocation.Controller == "" || *at < 0 || *at >= len(config)) {
		return errors.New("controllerAt is not a place among the configuration")
	}
	shown, _, _ := allocationDown(upAllocation(old.Allocation, s))
	if leftover.Digest(visible(shown)) != leftover.Digest(visible(old.Allocation)) {
		return errors.New("it shows another allocation")
	}
	return nil
}

// resultKey is the same for results that are equal.
func resultKey(r *v1.DeviceRequestAllocationResult) string {
	return kjson.View(kjson.Written(func(w *kjson.Writer) { codec.WriteV1DeviceRequestAllocationResult(w, r) }))
}
