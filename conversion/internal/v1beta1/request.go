package v1beta1

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/kjson/codec"
)

// Tolerations are copied, as defaults are set in them; what else is below a request is shared.

func requestUp(old v1alpha3.DeviceRequest) v1beta1.DeviceRequest {
	return v1beta1.DeviceRequest{
		Name: old.Name, DeviceClassName: old.DeviceClassName, Selectors: old.Selectors, AllocationMode: old.AllocationMode,
		Count: old.Count, AdminAccess: old.AdminAccess, Tolerations: slices.Clone(old.Tolerations),
		FirstAvailable: chain.List(old.FirstAvailable, alternativeUp),
	}
}

func alternativeUp(old v1alpha3.DeviceSubRequest) v1.DeviceSubRequest {
	return v1.DeviceSubRequest{
		Name: old.Name, DeviceClassName: old.DeviceClassName, Selectors: old.Selectors, AllocationMode: old.AllocationMode,
		Count: old.Count, Tolerations: slices.Clone(old.Tolerations),
	}
}

func requestDown(new v1beta1.DeviceRequest) v1alpha3.DeviceRequest {
	return v1alpha3.DeviceRequest{
		Name: new.Name, DeviceClassName: new.DeviceClassName, Selectors: new.Selectors, AllocationMode: new.AllocationMode,
		Count: new.Count, AdminAccess: new.AdminAccess, Tolerations: tolerationsDown(new.Tolerations),
		FirstAvailable: chain.List(new.FirstAvailable, alternativeDown),
	}
}

func alternativeDown(new v1.DeviceSubRequest) v1alpha3.DeviceSubRequest {
	return v1alpha3.DeviceSubRequest{
		Name: new.Name, DeviceClassName: new.DeviceClassName, Selectors: new.Selectors, AllocationMode: new.AllocationMode,
		Count: new.Count, Tolerations: tolerationsDown(new.Tolerations),
	}
}

// withDefaultsSet are requests of a whole object.
func withDefaultsSet(requests []v1beta1.DeviceRequest) []v1beta1.DeviceRequest {
	spec := (&v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{Requests: requests}}).DeepCopy()
	v1beta1.SetSpecDefaults(spec)
	return spec.Devices.Requests
}

// isLaterRequest reports whether a request has what v1alpha3 cannot say.
func isLaterRequest(r v1beta1.DeviceRequest) bool {
	return r.Capacity != nil || len(r.DerivedAttributes) > 0 || slices.ContainsFunc(r.Tolerations, isLaterToleration) ||
		slices.ContainsFunc(r.FirstAvailable, func(a v1.DeviceSubRequest) bool {
			return a.Capacity != nil || len(a.DerivedAttributes) > 0 || slices.ContainsFunc(a.Tolerations, isLaterToleration)
		})
}

// requestKey is the same for requests that are equal.
func requestKey(r *v1beta1.DeviceRequest) string {
	return kjson.View(kjson.Written(func(w *kjson.Writer) { codec.WriteV1beta1DeviceRequest(w, r) }))
}

func constraintUp(old v1alpha3.DeviceConstraint) v1.DeviceConstraint {
	return v1.DeviceConstraint{Requests: old.Requests, MatchAttribute: old.MatchAttribute}
}

// constraintsDown leaves out those that only compare for difference: v1alpha3 has no such constraint.
func constraintsDown(new []v1.DeviceConstraint) (old []v1alpha3.DeviceConstraint) {
	if !slices.ContainsFunc(new, isLaterConstraint) {
		return chain.List(new, constraintDown)
	}
	for _, c := range new {
		if c.MatchAttribute != nil || c.DistinctAttribute == nil {
			old = append(old, constraintDown(c))
		}
	}
	return old
}

func constraintDown(new v1.DeviceConstraint) v1alpha3.DeviceConstraint {
	return v1alpha3.DeviceConstraint{Requests: new.Requests, MatchAttribute: new.MatchAttribute}
}

func isLaterConstraint(c v1.DeviceConstraint) bool { return c.DistinctAttribute != nil }

// constraintKey is the same for constraints that are equal.
func constraintKey(c *v1.DeviceConstraint) string {
	return kjson.View(kjson.Written(func(w *kjson.Writer) { codec.WriteV1DeviceConstraint(w, c) }))
}
