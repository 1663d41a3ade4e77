package objects

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// toV1beta1 converts a spec of v1: the fields of `exactly` are fields of the request itself in v1beta1.
func toV1beta1(s v1.ResourceClaimSpec) v1beta1.ResourceClaimSpec {
	flat := as[v1beta1.ResourceClaimSpec](s)
	for i, r := range s.Devices.Requests {
		if r.Exactly != nil {
			flat.Devices.Requests[i].SetExactly(*r.Exactly)
		}
	}
	return flat
}
