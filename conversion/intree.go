package conversion

import (
	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

// inTree takes out of a claim of Kubernetes' own group what no API server but one with definitions
// of claimbridge's would keep, and names it as the version that the claim came from does: from
// v1beta1 on deallocationRequested has no field of Kubernetes' own.
func inTree(c chain.Claim, h Header) (_ chain.Claim, lost []string) {
	status, _ := c.Status.(*v1.ResourceClaimStatus)
	if status == nil || !status.ClaimbridgeDeallocationRequested || h.Group != api.Group {
		return c, nil
	}
	without := *status
	without.ClaimbridgeDeallocationRequested = false
	c.Status = &without
	if indexOf(h.Version) >= indexOf(v1beta1.GroupVersion.Version) {
		return c, []string{"status.claimbridgeDeallocationRequested"}
	}
	return c, []string{"status.deallocationRequested"}
}
