package hub

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// toV1beta1 returns the claim in v1beta1. The table is in v1beta1_to_v1.go.
func (c *V1) toV1beta1(o Options) *V1beta1 {
	out := &V1beta1{Status: withStatusDefaults(c.Status, o)}
	if c.Spec != nil {
		out.Spec = v1SpecToV1beta1(c.Spec, o)
	}
	return out
}

func v1SpecToV1beta1(in *v1.ResourceClaimSpec, o Options) *v1beta1.ResourceClaimSpec {
	in = WithSpecDefaults(in, o)
	out := &v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{
		Requests:    convertList(in.Devices.Requests, v1RequestToV1beta1),
		Constraints: in.Devices.Constraints,
		Config:      in.Devices.Config,
	}}
	if o.WantsDefaults() {
		v1beta1.SetSpecDefaults(out)
	}
	return out
}

// v1RequestToV1beta1 copies tolerations, because defaults are set in them later.
func v1RequestToV1beta1(in v1.DeviceRequest) v1beta1.DeviceRequest {
	out := v1beta1.DeviceRequest{Name: in.Name, FirstAvailable: slices.Clone(in.FirstAvailable)}
	for i := range out.FirstAvailable {
		out.FirstAvailable[i].Tolerations = slices.Clone(out.FirstAvailable[i].Tolerations)
	}
	if in.Exactly == nil {
		return out
	}
	out.SetExactly(*in.Exactly)
	out.Tolerations = slices.Clone(out.Tolerations)
	if isZero(*in.Exactly) {
		out.AllocationMode = v1.DeviceAllocationModeExactCount
		out.Count = 1
	}
	return out
}
