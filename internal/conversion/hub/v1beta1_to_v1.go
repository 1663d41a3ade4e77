package hub

import (
	"reflect"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// v1beta1 and v1 differ in requests only:
//
//	v1beta1                                          v1
//	requests[].name, firstAvailable                  the same
//	fields with InExactly in [api.RequestFields]     requests[].exactly, if one of the fields is set
//	allocationMode: ExactCount, count: 1             exactly: {}, in the direction from v1
//
// Kubernetes converts in the same way, except for the last row: it sets defaults before it converts, so that an empty
// exactly never reaches its conversion.

// ToV1 implements [Claim].
func (c *V1beta1) ToV1(o Options) (*V1, error) {
	out := &V1{Status: withStatusDefaults(c.Status, o)}
	if c.Spec != nil {
		out.Spec = v1beta1SpecToV1(c.Spec, o)
	}
	return out, nil
}

func v1beta1SpecToV1(in *v1beta1.ResourceClaimSpec, o Options) *v1.ResourceClaimSpec {
	out := &v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
		Requests:    convertList(in.Devices.Requests, v1beta1RequestToV1),
		Constraints: in.Devices.Constraints,
		Config:      in.Devices.Config,
	}}
	return WithSpecDefaults(out, o)
}

func v1beta1RequestToV1(in v1beta1.DeviceRequest) v1.DeviceRequest {
	out := v1.DeviceRequest{Name: in.Name, FirstAvailable: in.FirstAvailable}
	if exactly := in.Exactly(); !isZero(exactly) {
		out.Exactly = &exactly
	}
	return out
}

// isZero reports whether no field of a request is set. An empty list is set.
func isZero(exactly v1.ExactDeviceRequest) bool { return reflect.ValueOf(exactly).IsZero() }
