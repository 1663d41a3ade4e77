package v1beta2

import (
	"reflect"
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

func requestUp(old v1beta1.DeviceRequest) v1.DeviceRequest {
	new := v1.DeviceRequest{Name: old.Name, FirstAvailable: old.FirstAvailable}
	if exactly := old.Exactly(); isSet(&exactly) {
		new.Exactly = &exactly
	}
	return new
}

// isSet reports whether a field is set, if only to an empty list.
func isSet(e *v1.ExactDeviceRequest) bool { return !reflect.ValueOf(e).Elem().IsZero() }

func requestDown(new v1.DeviceRequest) v1beta1.DeviceRequest {
	old := v1beta1.DeviceRequest{Name: new.Name, FirstAvailable: cloneAlternatives(new.FirstAvailable)}
	if new.Exactly == nil {
		return old
	}
	old.SetExactly(*new.Exactly)
	old.Tolerations = slices.Clone(old.Tolerations)
	if !isSet(new.Exactly) {
		old.AllocationMode, old.Count = v1.DeviceAllocationModeExactCount, 1
	}
	return old
}

// cloneAlternatives copies what defaults are set in.
func cloneAlternatives(of []v1.DeviceSubRequest) []v1.DeviceSubRequest {
	out := slices.Clone(of)
	for i := range out {
		out[i].Tolerations = slices.Clone(out[i].Tolerations)
	}
	return out
}
