package objects

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// toV1beta1 puts what v1 has in exactly into the request itself.
func toV1beta1(s v1.ResourceClaimSpec) v1beta1.ResourceClaimSpec {
	flat := v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{Constraints: s.Devices.Constraints, Config: s.Devices.Config}}
	for _, r := range s.Devices.Requests {
		f := v1beta1.DeviceRequest{Name: r.Name, FirstAvailable: r.FirstAvailable}
		if r.Exactly != nil {
			f.SetExactly(*r.Exactly)
		}
		flat.Devices.Requests = append(flat.Devices.Requests, f)
	}
	return flat
}

// V1beta1Status is a random status of v1beta1 for a spec.
func (s Source) V1beta1Status(spec v1beta1.ResourceClaimSpec) v1beta1.ResourceClaimStatus {
	names := v1.ResourceClaimSpec{} // all that a status needs
	for _, r := range spec.Devices.Requests {
		names.Devices.Requests = append(names.Devices.Requests, v1.DeviceRequest{Name: r.Name, FirstAvailable: r.FirstAvailable})
	}
	return s.V1Status(names)
}
