// Package v1alpha2 is the step from v1alpha1 to v1alpha2 and back.
//
// v1alpha1 (Kubernetes 1.26) has one handle, a string for the driver of the whole claim. v1alpha2 (1.27 to 1.30) has
// a list of handles, each with its driver, and from 1.30 on structured ones. All else is the same.
//
//	v1alpha1                             v1alpha2
//	resourceHandle: "" or absent         resourceHandles absent
//	resourceHandle: s                    resourceHandles: [{driverName: <status.driverName>, data: s}]
//	data of the handle whose driver is   several handles, a foreign driver, structured data: hidden
//	  status.driverName, else absent
package v1alpha2

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

// Step from v1alpha1.
var Step = chain.Step{
	Old:      v1alpha1.GroupVersion.Version,
	OldParts: chain.PartsOf[v1alpha1.ResourceClaimSpec, v1alpha1.ResourceClaimStatus](),
	New:      v1alpha2.GroupVersion.Version,
	NewParts: chain.PartsOf[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus](),

	Up:   chain.Halves(completedSpec, upStatus),
	Down: chain.Halves(completedSpec, downStatus),

	Mark:      func(s any) *string { return &s.(*v1alpha1.ResourceClaimStatus).ClaimbridgeLeftover },
	Defaults:  Defaults,
	Allocated: func(s any) bool { return s.(*v1alpha1.ResourceClaimStatus).Allocation != nil },
	RefuseOld: func(old chain.Claim) error {
		if s, _ := old.Status.(*v1alpha1.ResourceClaimStatus); s != nil && s.Allocation != nil {
			if err := tooMuchData("status.allocation.resourceHandle", s.Allocation.ResourceHandle); err != nil {
				return err
			}
		}
		return nil
	},
	RefuseNew: RefuseHandles,
	Moves: []chain.Move{
		{
			Old:  "status.allocation.resourceHandle",
			New:  "status.allocation.resourceHandles[].data",
			Note: "one handle, for status.driverName",
		},
	},
}

// Defaults of classic claims.
func Defaults(spec, _ any) {
	if s, _ := spec.(*v1alpha2.ResourceClaimSpec); s != nil {
		v1alpha2.SetSpecDefaults(s)
	}
}

// completedSpec has the same fields in both versions.
func completedSpec(spec *v1alpha2.ResourceClaimSpec, f chain.Form) *v1alpha2.ResourceClaimSpec {
	completed := *spec
	if f.GetsDefaults() {
		v1alpha2.SetSpecDefaults(&completed)
	}
	return &completed
}

func upStatus(old *v1alpha1.ResourceClaimStatus, _ chain.Form) *v1alpha2.ResourceClaimStatus {
	new := &v1alpha2.ResourceClaimStatus{
		DriverName:            old.DriverName,
		ReservedFor:           old.ReservedFor,
		DeallocationRequested: old.DeallocationRequested,
	}
	if a := old.Allocation; a != nil {
		new.Allocation = &v1alpha2.AllocationResult{
			ResourceHandles: handlesOf(old), AvailableOnNodes: a.AvailableOnNodes, Shareable: a.Shareable,
		}
	}
	return new
}

func downStatus(new *v1alpha2.ResourceClaimStatus, _ chain.Form) *v1alpha1.ResourceClaimStatus {
	old := &v1alpha1.ResourceClaimStatus{
		DriverName:            new.DriverName,
		ReservedFor:           new.ReservedFor,
		DeallocationRequested: new.DeallocationRequested,
	}
	if a := new.Allocation; a != nil {
		old.Allocation = &v1alpha1.AllocationResult{
			ResourceHandle:   handleFor(new.DriverName, a.ResourceHandles),
			AvailableOnNodes: a.AvailableOnNodes,
			Shareable:        a.Shareable,
		}
	}
	return old
}
