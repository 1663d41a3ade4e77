package hub

import (
	"reflect"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// The methods of [LossyClaim], for each version that cannot represent all of v1.

// IsAllocated implements [LossyClaim].
func (c *V1alpha1) IsAllocated() bool { return c.Status != nil && c.Status.Allocation != nil }

// PreservedField implements [LossyClaim].
func (c *V1alpha1) PreservedField() *string {
	if c.Status == nil {
		return nil
	}
	return &c.Status.ClaimbridgeLeftover
}

// AddStatus implements [LossyClaim].
func (c *V1alpha1) AddStatus() { c.Status = &v1alpha1.ResourceClaimStatus{} }

// RemoveEmptyStatus implements [LossyClaim].
func (c *V1alpha1) RemoveEmptyStatus() { c.Status = nilIfEmpty(c.Status) }

// WithDefaults implements [LossyClaim].
func (c *V1alpha1) WithDefaults() LossyClaim {
	out := &V1alpha1{Spec: c.Spec.DeepCopy(), Status: c.Status.DeepCopy()}
	if out.Spec != nil {
		v1alpha2.SetSpecDefaults(out.Spec)
	}
	return out
}

// IsAllocated implements [LossyClaim].
func (c *V1alpha2) IsAllocated() bool { return c.Status != nil && c.Status.Allocation != nil }

// PreservedField implements [LossyClaim].
func (c *V1alpha2) PreservedField() *string {
	if c.Status == nil {
		return nil
	}
	return &c.Status.ClaimbridgeLeftover
}

// AddStatus implements [LossyClaim].
func (c *V1alpha2) AddStatus() { c.Status = &v1alpha2.ResourceClaimStatus{} }

// RemoveEmptyStatus implements [LossyClaim].
func (c *V1alpha2) RemoveEmptyStatus() { c.Status = nilIfEmpty(c.Status) }

// WithDefaults implements [LossyClaim].
func (c *V1alpha2) WithDefaults() LossyClaim {
	out := &V1alpha2{Spec: c.Spec.DeepCopy(), Status: c.Status.DeepCopy()}
	if out.Spec != nil {
		v1alpha2.SetSpecDefaults(out.Spec)
	}
	return out
}

// IsAllocated implements [LossyClaim].
func (c *V1alpha3) IsAllocated() bool { return c.Status != nil && c.Status.Allocation != nil }

// PreservedField implements [LossyClaim].
func (c *V1alpha3) PreservedField() *string {
	if c.Status == nil {
		return nil
	}
	return &c.Status.ClaimbridgeLeftover
}

// AddStatus implements [LossyClaim].
func (c *V1alpha3) AddStatus() { c.Status = &v1alpha3.ResourceClaimStatus{} }

// RemoveEmptyStatus implements [LossyClaim].
func (c *V1alpha3) RemoveEmptyStatus() { c.Status = nilIfEmpty(c.Status) }

// WithDefaults implements [LossyClaim].
func (c *V1alpha3) WithDefaults() LossyClaim {
	out := &V1alpha3{Spec: c.Spec.DeepCopy(), Status: c.Status.DeepCopy()}
	if out.Spec != nil {
		v1alpha3.SetSpecDefaults(out.Spec)
	}
	if out.Status != nil {
		v1alpha3.SetStatusDefaults(out.Status)
	}
	return out
}

// nilIfEmpty returns nil for a status in which no field is set.
func nilIfEmpty[Status any](status *Status) *Status {
	if status != nil && reflect.ValueOf(status).Elem().IsZero() {
		return nil
	}
	return status
}
