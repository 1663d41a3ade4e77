package claims

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// Pending is the ith claim of v1beta1 or v1 before the scheduler saw it: it has no status, and grows by the configuration in its spec.
func Pending(version string, i, growth int) runtime.Object {
	claim := Current(i, 0)
	claim.Status = v1.ResourceClaimStatus{}
	claim.Spec.Devices.Config = []v1.DeviceClaimConfiguration{{DeviceConfiguration: config(i, growth)}}
	switch version {
	case "v1beta1":
		old := inV1beta1(claim)
		old.Spec.Devices.Config = []v1beta1.DeviceClaimConfiguration{claim.Spec.Devices.Config[0]}
		return old
	case "v1":
		return claim
	}
	panic("claims: no pending claim of " + version)
}
