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

type (
	oldClaim = chain.Of[v1alpha1.ResourceClaimSpec, v1alpha1.ResourceClaimStatus]
	newClaim = chain.Of[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus]
)

// Step from v1alpha1.
var Step = chain.Step[v1alpha1.ResourceClaimSpec, v1alpha1.ResourceClaimStatus, v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus]{
	Old: v1alpha1.GroupVersion.Version,
	New: v1alpha2.GroupVersion.Version,

	Up:   up,
	Down: down,

	Mark: func(s *v1alpha1.ResourceClaimStatus) *string { return &s.ClaimbridgeLeftover },
	Defaults: func(spec *v1alpha1.ResourceClaimSpec, _ *v1alpha1.ResourceClaimStatus) {
		if spec != nil {
			v1alpha2.SetSpecDefaults(spec)
		}
	},
	Allocated: func(s *v1alpha1.ResourceClaimStatus) bool { return s.Allocation != nil },
	RefuseOld: func(old oldClaim) error {
		if old.Status == nil || old.Status.Allocation == nil {
			return nil
		}
		return refuseData("status.allocation.resourceHandle", old.Status.Allocation.ResourceHandle)
	},
	RefuseNew: func(new newClaim) error { return RefuseHandles(new.Status) },
	Moves: []chain.Move{
		{Old: "status.allocation.resourceHandle", New: "status.allocation.resourceHandles[].data", Note: "one handle, for status.driverName"},
	},
}

func up(old oldClaim) newClaim {
	new := newClaim{Complete: old.Complete, AsWritten: old.AsWritten, Request: old.Request}
	if old.Spec != nil {
		spec := *old.Spec
		new.Spec = &spec
		if new.GetsDefaults() {
			v1alpha2.SetSpecDefaults(new.Spec)
		}
	}
	if s := old.Status; s != nil {
		new.Status = &v1alpha2.ResourceClaimStatus{
			DriverName:            s.DriverName,
			ReservedFor:           s.ReservedFor,
			DeallocationRequested: s.DeallocationRequested,
		}
		if a := s.Allocation; a != nil {
			new.Status.Allocation = &v1alpha2.AllocationResult{
				ResourceHandles:  handlesOf(s),
				AvailableOnNodes: a.AvailableOnNodes,
				Shareable:        a.Shareable,
			}
		}
	}
	return new
}

func down(new newClaim) oldClaim {
	old := oldClaim{Complete: new.Complete, AsWritten: new.AsWritten}
	if new.Spec != nil {
		spec := *new.Spec
		old.Spec = &spec
		if old.GetsDefaults() {
			v1alpha2.SetSpecDefaults(old.Spec)
		}
	}
	if s := new.Status; s != nil {
		old.Status = &v1alpha1.ResourceClaimStatus{
			DriverName:            s.DriverName,
			ReservedFor:           s.ReservedFor,
			DeallocationRequested: s.DeallocationRequested,
		}
		if a := s.Allocation; a != nil {
			old.Status.Allocation = &v1alpha1.AllocationResult{
				ResourceHandle:   handleFor(s.DriverName, a.ResourceHandles),
				AvailableOnNodes: a.AvailableOnNodes,
				Shareable:        a.Shareable,
			}
		}
	}
	return old
}
