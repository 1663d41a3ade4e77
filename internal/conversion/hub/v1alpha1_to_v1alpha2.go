package hub

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// v1alpha1 (Kubernetes 1.26) has one handle, a string for the driver of the claim. v1alpha2 (1.27 to 1.30) has a list
// of handles, each with its driver, and since 1.30 structured handles. Everything else is the same.
//
//	v1alpha1                       v1alpha2
//	resourceHandle: "" or absent   no resourceHandles
//	resourceHandle: s              resourceHandles: [{driverName: <status.driverName>, data: s}]

// ToV1 implements [Claim].
func (c *V1alpha1) ToV1(o Options) (*V1, error) { return c.ToV1For("", o) }

// ToV1For implements [LossyClaim].
func (c *V1alpha1) ToV1For(request string, o Options) (*V1, error) {
	if err := c.checkHandle(o); err != nil {
		return nil, err
	}
	return c.toV1alpha2(o).ToV1For(request, o)
}

// checkHandle returns an error for a handle of a manifest that exceeds the limit.
func (c *V1alpha1) checkHandle(o Options) error {
	if !o.Manifest || !c.IsAllocated() {
		return nil
	}
	if err := checkHandleData("status.allocation.resourceHandle", c.Status.Allocation.ResourceHandle); err != nil {
		return err
	}
	return nil
}

func (c *V1alpha1) toV1alpha2(o Options) *V1alpha2 {
	out := &V1alpha2{}
	if c.Spec != nil {
		out.Spec = classicSpecWithDefaults(c.Spec, o)
	}
	if c.Status != nil {
		out.Status = v1alpha1StatusToV1alpha2(c.Status)
	}
	return out
}

// classicSpecWithDefaults copies a spec, which has the same type in v1alpha1 and v1alpha2, and sets defaults if the
// options ask for them.
func classicSpecWithDefaults(in *v1alpha2.ResourceClaimSpec, o Options) *v1alpha2.ResourceClaimSpec {
	out := *in
	if o.WantsDefaults() {
		v1alpha2.SetSpecDefaults(&out)
	}
	return &out
}

func v1alpha1StatusToV1alpha2(in *v1alpha1.ResourceClaimStatus) *v1alpha2.ResourceClaimStatus {
	out := &v1alpha2.ResourceClaimStatus{
		DriverName:            in.DriverName,
		ReservedFor:           in.ReservedFor,
		DeallocationRequested: in.DeallocationRequested,
	}
	if in.Allocation == nil {
		return out
	}
	out.Allocation = &v1alpha2.AllocationResult{
		AvailableOnNodes: in.Allocation.AvailableOnNodes,
		Shareable:        in.Allocation.Shareable,
	}
	if data := in.Allocation.ResourceHandle; data != "" {
		out.Allocation.ResourceHandles = []v1alpha2.ResourceHandle{{DriverName: in.DriverName, Data: data}}
	}
	return out
}
