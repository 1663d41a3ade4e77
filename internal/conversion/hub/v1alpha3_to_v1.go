package hub

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// v1alpha3 (Kubernetes 1.31 to 1.33) names the controller of a driver that allocates claims itself. It lacks what
// Kubernetes 1.34 and later added. Its requests are those of v1beta1, see v1beta1_to_v1.go.
//
//	v1alpha3                              v1
//	spec.devices.requests[]               the same, in `exactly`
//	spec.devices.constraints[]            the same
//	spec.devices.config[]                 the same
//	spec.controller                       an entry of kind ControlPlaneClaim in spec.devices.config
//	status.allocation.devices.results[]   the same
//	status.allocation.devices.config[]    the same; entries of claimbridge.dev larger than 10,240 bytes are split
//	status.allocation.nodeSelector        the same
//	status.allocation.controller          an entry of kind ControlPlaneAllocation in status.allocation.devices.config
//	status.reservedFor, status.devices    the same
//	status.deallocationRequested          status.claimbridgeDeallocationRequested

// ToV1 implements [Claim].
func (c *V1alpha3) ToV1(o Options) (*V1, error) { return c.ToV1For("", o) }

// ToV1For implements [LossyClaim]. The allocation names its requests.
func (c *V1alpha3) ToV1For(_ string, o Options) (*V1, error) {
	out := &V1{}
	if c.Spec != nil {
		out.Spec = v1beta1SpecToV1(v1alpha3SpecToV1beta1(c.Spec, o), o)
	}
	if c.Status != nil {
		out.Status = v1alpha3StatusToV1(c.Status, o)
	}
	return out, nil
}

// v1alpha3SpecToV1beta1 returns a spec with the requests of v1beta1, which have the same fields.
func v1alpha3SpecToV1beta1(in *v1alpha3.ResourceClaimSpec, o Options) *v1beta1.ResourceClaimSpec {
	out := &v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{
		Requests:    convertList(in.Devices.Requests, v1alpha3.DeviceRequest.ToV1beta1),
		Constraints: convertList(in.Devices.Constraints, v1alpha3.DeviceConstraint.ToV1),
		Config:      splitClaimConfig(in.Devices.Config),
	}}
	if in.Controller != "" {
		out.Devices.Config = append(slices.Clip(out.Devices.Config), newControlPlaneClaimEntry(in.Controller))
	}
	if o.WantsDefaults() {
		v1beta1.SetSpecDefaults(out)
	}
	return out
}

func v1alpha3StatusToV1(in *v1alpha3.ResourceClaimStatus, o Options) *v1.ResourceClaimStatus {
	out := &v1.ResourceClaimStatus{
		ReservedFor:                      in.ReservedFor,
		Devices:                          convertList(in.Devices, v1alpha3.AllocatedDeviceStatus.ToV1),
		ClaimbridgeDeallocationRequested: in.DeallocationRequested,
	}
	if in.Allocation != nil {
		out.Allocation = v1alpha3AllocationToV1(in.Allocation)
	}
	if o.WantsDefaults() {
		v1.SetStatusDefaults(out)
	}
	return out
}

func v1alpha3AllocationToV1(in *v1alpha3.AllocationResult) *v1.AllocationResult {
	out := &v1.AllocationResult{
		NodeSelector: in.NodeSelector,
		Devices: v1.DeviceAllocationResult{
			Results: convertList(in.Devices.Results, v1alpha3.DeviceRequestAllocationResult.ToV1),
			Config:  splitAllocationConfig(in.Devices.Config),
		},
	}
	if in.Controller != "" {
		out.Devices.Config = append(slices.Clip(out.Devices.Config), newControlPlaneAllocationEntry(in))
	}
	return out
}
