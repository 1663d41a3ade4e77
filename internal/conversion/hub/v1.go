package hub

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// ToV1 implements [Claim].
func (c *V1) ToV1(Options) (*V1, error) { return c, nil }

// ToV1 implements [Claim].
func (c *V1beta2) ToV1(o Options) (*V1, error) {
	return &V1{Spec: WithSpecDefaults(c.Spec, o), Status: withStatusDefaults(c.Status, o)}, nil
}

// LacksSpecDefaults reports whether the options ask for defaults that the spec does not have.
func LacksSpecDefaults(spec *v1.ResourceClaimSpec, o Options) bool {
	return spec != nil && o.WantsDefaults() && slices.ContainsFunc(spec.Devices.Requests, v1.LacksDefaults)
}

// WithSpecDefaults returns a copy with defaults if [LacksSpecDefaults] is true, or else the spec itself.
func WithSpecDefaults(spec *v1.ResourceClaimSpec, o Options) *v1.ResourceClaimSpec {
	if !LacksSpecDefaults(spec, o) {
		return spec
	}
	completed := spec.DeepCopy()
	v1.SetSpecDefaults(completed)
	return completed
}

// withStatusDefaults is [WithSpecDefaults] for a status.
func withStatusDefaults(status *v1.ResourceClaimStatus, o Options) *v1.ResourceClaimStatus {
	if status == nil || status.Allocation == nil || !o.WantsDefaults() {
		return status
	}
	lacksDefaults := func(r v1.DeviceRequestAllocationResult) bool { return v1.AnyLacksOperator(r.Tolerations) }
	if !slices.ContainsFunc(status.Allocation.Devices.Results, lacksDefaults) {
		return status
	}
	completed := status.DeepCopy()
	v1.SetStatusDefaults(completed)
	return completed
}

// convertList converts each item of a list. A nil list stays nil.
func convertList[From, To any](list []From, convert func(From) To) []To {
	if list == nil {
		return nil
	}
	converted := make([]To, len(list))
	for i := range list {
		converted[i] = convert(list[i])
	}
	return converted
}

// WithoutEmptyDevices returns a v1 claim in which the lists of spec.devices are nil if all of them are empty, and
// likewise those of status.allocation.devices. An older version omits them, so a claim with empty lists would not
// round-trip. Other claims are unchanged.
func WithoutEmptyDevices(claim Claim) Claim {
	in, isV1 := claim.(*V1)
	if !isV1 {
		return claim
	}
	out := *in
	if in.Spec != nil {
		devices := &in.Spec.Devices
		if len(devices.Requests)+len(devices.Constraints)+len(devices.Config) == 0 {
			spec := *in.Spec
			spec.Devices.Requests, spec.Devices.Constraints, spec.Devices.Config = nil, nil, nil
			out.Spec = &spec
		}
	}
	if in.Status == nil || in.Status.Allocation == nil {
		return &out
	}
	devices := &in.Status.Allocation.Devices
	if len(devices.Results)+len(devices.Config) == 0 {
		status, allocation := *in.Status, *in.Status.Allocation
		allocation.Devices.Results, allocation.Devices.Config = nil, nil
		status.Allocation = &allocation
		out.Status = &status
	}
	return &out
}

// WithoutDeallocationRequested returns a claim of v1beta1, v1beta2 or v1 without
// status.claimbridgeDeallocationRequested, and whether it was set.
func WithoutDeallocationRequested(claim Claim) (_ Claim, wasSet bool) {
	_, part := claim.SpecAndStatus()
	status, _ := part.(*v1.ResourceClaimStatus)
	if status == nil || !status.ClaimbridgeDeallocationRequested {
		return claim, false
	}
	changed := *status
	changed.ClaimbridgeDeallocationRequested = false
	return WithStatus(claim, &changed), true
}
