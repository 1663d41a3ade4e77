package hub

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// toV1alpha3 returns the claim in v1alpha3, by the table in v1alpha3_to_v1.go. Not visible in v1alpha3 are:
//
//   - in requests: capacity, derivedAttributes, and tolerations of the effect None
//   - in constraints: distinctAttribute, and a constraint that has only that
//   - in results: the fields that Kubernetes 1.34 and later added, and tolerations of the effect None
//   - the status of devices with a shareID, and allocation.allocationTimestamp
func (c *V1) toV1alpha3(o Options) *V1alpha3 {
	out := &V1alpha3{}
	flat := c.toV1beta1(o)
	if flat.Spec != nil {
		out.Spec = v1beta1SpecToV1alpha3(flat.Spec, o)
	}
	if flat.Status != nil {
		out.Status = v1StatusToV1alpha3(flat.Status)
	}
	return out
}

func v1beta1SpecToV1alpha3(in *v1beta1.ResourceClaimSpec, o Options) *v1alpha3.ResourceClaimSpec {
	out := &v1alpha3.ResourceClaimSpec{}
	config := in.Devices.Config
	if entry, i := findControlPlaneClaimEntry(config); entry != nil {
		out.Controller = entry.Controller
		config = slices.Concat(config[:i], config[i+1:])
	}
	out.Devices = v1alpha3.DeviceClaim{
		Requests:    convertList(in.Devices.Requests, v1beta1RequestToV1alpha3),
		Constraints: v1ConstraintsToV1alpha3(in.Devices.Constraints),
		Config:      joinClaimConfig(config),
	}
	if o.WantsDefaults() {
		v1alpha3.SetSpecDefaults(out)
	}
	return out
}

func v1beta1RequestToV1alpha3(in v1beta1.DeviceRequest) v1alpha3.DeviceRequest {
	return v1alpha3.DeviceRequest{
		Name:            in.Name,
		DeviceClassName: in.DeviceClassName,
		Selectors:       in.Selectors,
		AllocationMode:  in.AllocationMode,
		Count:           in.Count,
		AdminAccess:     in.AdminAccess,
		Tolerations:     v1TolerationsToV1alpha3(in.Tolerations),
		FirstAvailable:  convertList(in.FirstAvailable, v1SubRequestToV1alpha3),
	}
}

func v1SubRequestToV1alpha3(in v1.DeviceSubRequest) v1alpha3.DeviceSubRequest {
	return v1alpha3.DeviceSubRequest{
		Name:            in.Name,
		DeviceClassName: in.DeviceClassName,
		Selectors:       in.Selectors,
		AllocationMode:  in.AllocationMode,
		Count:           in.Count,
		Tolerations:     v1TolerationsToV1alpha3(in.Tolerations),
	}
}

// v1ConstraintsToV1alpha3 omits constraints that have a distinctAttribute and no matchAttribute.
func v1ConstraintsToV1alpha3(in []v1.DeviceConstraint) []v1alpha3.DeviceConstraint {
	if in == nil {
		return nil
	}
	out := make([]v1alpha3.DeviceConstraint, 0, len(in))
	for _, c := range in {
		if c.MatchAttribute != nil || c.DistinctAttribute == nil {
			out = append(out, v1alpha3.DeviceConstraint{Requests: c.Requests, MatchAttribute: c.MatchAttribute})
		}
	}
	if len(out) == 0 && len(in) > 0 {
		return nil
	}
	return out
}

// v1TolerationsToV1alpha3 returns a copy without tolerations of the effect None. Kubernetes 1.35 added that effect, and
// 1.33 rejects it.
func v1TolerationsToV1alpha3(in []v1.DeviceToleration) []v1.DeviceToleration {
	hasEffectNone := func(t v1.DeviceToleration) bool { return t.Effect == v1.DeviceTaintEffectNone }
	out := slices.DeleteFunc(slices.Clone(in), hasEffectNone)
	if len(out) == 0 && len(in) > 0 {
		return nil
	}
	return out
}

func v1StatusToV1alpha3(in *v1.ResourceClaimStatus) *v1alpha3.ResourceClaimStatus {
	out := &v1alpha3.ResourceClaimStatus{
		ReservedFor:           in.ReservedFor,
		Devices:               v1DevicesToV1alpha3(in.Devices),
		DeallocationRequested: in.ClaimbridgeDeallocationRequested,
	}
	if in.Allocation != nil {
		out.Allocation = v1AllocationToV1alpha3(in.Allocation)
	}
	return out
}

// v1AllocationToV1alpha3 sets the controller if the entry that names it belongs to this allocation. An entry of another
// allocation is an ordinary configuration.
func v1AllocationToV1alpha3(in *v1.AllocationResult) *v1alpha3.AllocationResult {
	out := &v1alpha3.AllocationResult{
		NodeSelector: in.NodeSelector,
		Devices:      v1alpha3.DeviceAllocationResult{Results: convertList(in.Devices.Results, v1ResultToV1alpha3)},
	}
	config := in.Devices.Config
	if entry, i := findControlPlaneAllocationEntry(config); entry != nil {
		out.Devices.Config = joinAllocationConfig(slices.Concat(config[:i], config[i+1:]))
		if entry.Digest == digestOfAllocation(out) {
			out.Controller = entry.Controller
			return out
		}
	}
	out.Devices.Config = joinAllocationConfig(config)
	return out
}

func v1ResultToV1alpha3(in v1.DeviceRequestAllocationResult) v1alpha3.DeviceRequestAllocationResult {
	return v1alpha3.DeviceRequestAllocationResult{
		Request:     in.Request,
		Driver:      in.Driver,
		Pool:        in.Pool,
		Device:      in.Device,
		AdminAccess: in.AdminAccess,
		Tolerations: v1TolerationsToV1alpha3(in.Tolerations),
	}
}

// v1DevicesToV1alpha3 omits the status of shares of a device: v1alpha3 allows one entry per device.
func v1DevicesToV1alpha3(in []v1.AllocatedDeviceStatus) []v1alpha3.AllocatedDeviceStatus {
	if in == nil {
		return nil
	}
	out := make([]v1alpha3.AllocatedDeviceStatus, 0, len(in))
	for _, d := range in {
		if d.ShareID == nil {
			out = append(out, v1alpha3.AllocatedDeviceStatus{
				Driver:      d.Driver,
				Pool:        d.Pool,
				Device:      d.Device,
				Conditions:  d.Conditions,
				Data:        d.Data,
				NetworkData: d.NetworkData,
			})
		}
	}
	return out
}
