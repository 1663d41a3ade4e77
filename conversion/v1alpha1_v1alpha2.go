package conversion

import (
	"errors"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// v1alpha1 (Kubernetes 1.26) has one handle, a string for the driver of the whole claim. v1alpha2 (1.27 to 1.30) has
// a list of handles, each with its driver, and from 1.30 on structured ones. All else is the same.
//
//	v1alpha1                             v1alpha2
//	resourceHandle: "" or absent         resourceHandles absent
//	resourceHandle: s                    resourceHandles: [{driverName: <status.driverName>, data: s}]
//	data of the handle whose driver is   several handles, a foreign driver, structured data: the list is left over
//	  status.driverName, else absent
var v1alpha1ToV1alpha2 = step[claimV1alpha1, claimV1alpha2, struct{}, struct{}, handlesLeftover]{
	old: "v1alpha1",
	new: "v1alpha2",

	up: func(old claimV1alpha1, newOnly leftovers[struct{}, handlesLeftover]) (claimV1alpha2, struct{}) {
		new := claimV1alpha2{Complete: old.Complete, room: old.room}
		r := old.room
		if old.Spec != nil {
			new.Spec = r.v1alpha2ResourceClaimSpec.put(v1alpha2.ResourceClaimSpec{
				ResourceClassName: old.Spec.ResourceClassName,
				ParametersRef:     (*v1alpha2.ResourceClaimParametersReference)(old.Spec.ParametersRef),
				AllocationMode:    defaulted(v1alpha2.AllocationMode(old.Spec.AllocationMode), old.Complete),
			})
		}
		if s := old.Status; s != nil {
			new.Status = r.v1alpha2ResourceClaimStatus.put(v1alpha2.ResourceClaimStatus{
				DriverName:            s.DriverName,
				ReservedFor:           convertList(&r.v1alpha2ResourceClaimConsumerReference, s.ReservedFor, consumerToV1alpha2),
				DeallocationRequested: s.DeallocationRequested,
			})
			if a := s.Allocation; a != nil {
				new.Status.Allocation = r.v1alpha2AllocationResult.put(v1alpha2.AllocationResult{
					ResourceHandles:  handlesOf(r, s),
					AvailableOnNodes: a.AvailableOnNodes,
					Shareable:        a.Shareable,
				})
				if newOnly.Status != nil {
					new.Status.Allocation.ResourceHandles = newOnly.Status.Handles.apply(handlesOf(r, s))
				}
			}
		}
		return new, struct{}{}
	},

	down: func(new claimV1alpha2, _ struct{}) (claimV1alpha1, leftovers[struct{}, handlesLeftover]) {
		old := claimV1alpha1{Complete: new.Complete, room: new.room}
		r := new.room
		var newOnly leftovers[struct{}, handlesLeftover]
		if new.Spec != nil {
			old.Spec = r.v1alpha1ResourceClaimSpec.put(v1alpha1.ResourceClaimSpec{
				ResourceClassName: new.Spec.ResourceClassName,
				ParametersRef:     (*v1alpha1.ResourceClaimParametersReference)(new.Spec.ParametersRef),
				AllocationMode:    v1alpha1.AllocationMode(defaulted(new.Spec.AllocationMode, new.Complete)),
			})
		}
		if s := new.Status; s != nil {
			old.Status = r.v1alpha1ResourceClaimStatus.put(v1alpha1.ResourceClaimStatus{
				DriverName:            s.DriverName,
				ReservedFor:           convertList(&r.v1alpha1ResourceClaimConsumerReference, s.ReservedFor, consumerToV1alpha1),
				DeallocationRequested: s.DeallocationRequested,
			})
			if a := s.Allocation; a != nil {
				old.Status.Allocation = r.v1alpha1AllocationResult.put(v1alpha1.AllocationResult{
					ResourceHandle:   handleFor(s.DriverName, a.ResourceHandles),
					AvailableOnNodes: a.AvailableOnNodes,
					Shareable:        a.Shareable,
				})
				if native := handlesOf(r, old.Status); !equalLists(native, a.ResourceHandles, r.equalV1alpha2ResourceHandle) {
					newOnly.Status = r.handlesLeftover.put(handlesLeftover{Handles: differHandles(r, native, a.ResourceHandles)})
				}
			}
		}
		return old, newOnly
	},

	store: func(new claimV1alpha2, _ struct{}) claimV1alpha2 { return new },
	take:  func(new claimV1alpha2) (claimV1alpha2, struct{}, []ignored) { return new, struct{}{}, nil },

	spec: func(old claimV1alpha1) any {
		if old.Spec == nil {
			return nil
		}
		return old.Spec
	},
	status: func(old claimV1alpha1) any {
		if old.Status == nil || old.Status.Allocation == nil {
			return nil
		}
		return old.room.v1alpha1ResourceClaimStatus.put(v1alpha1.ResourceClaimStatus{DriverName: old.Status.DriverName, Allocation: old.Status.Allocation})
	},
	checkSpec: func(claimV1alpha1, *struct{}) error { return errors.New("nothing of this spec can be left over") },
	checkStatus: func(old claimV1alpha1, left *handlesLeftover) error {
		native := handlesOf(old.room, old.Status)
		if err := left.Handles.check(native, v1alpha2.AllocationResultResourceHandlesMaxSize, nil); err != nil {
			return err
		}
		handles := left.Handles.apply(native)
		if handleFor(old.Status.DriverName, handles) != old.Status.Allocation.ResourceHandle {
			return errors.New("the handles are not those of status.allocation.resourceHandle")
		}
		return checkHandles(handles)
	},
}

// handlesLeftover is the list of handles where v1alpha1's one string does not say it all.
type handlesLeftover struct {
	Handles delta[v1alpha2.ResourceHandle] `json:"handles"`
}

// handlesOf is the list that a v1alpha1 status stands for.
func handlesOf(r *room, s *v1alpha1.ResourceClaimStatus) []v1alpha2.ResourceHandle {
	if s.Allocation.ResourceHandle == "" {
		return nil
	}
	handles := r.v1alpha2ResourceHandle.list(1)
	handles[0] = v1alpha2.ResourceHandle{DriverName: s.DriverName, Data: s.Allocation.ResourceHandle}
	return handles
}

// handleFor is the one string that a list of handles can be for a claim's driver.
func handleFor(driver string, handles []v1alpha2.ResourceHandle) string {
	for _, h := range handles {
		if h.StructuredData == nil && (h.DriverName == driver || h.DriverName == "" && len(handles) == 1) {
			return h.Data
		}
	}
	return ""
}

// defaulted is the allocation mode as the API server of either version would set it.
func defaulted(mode v1alpha2.AllocationMode, complete bool) v1alpha2.AllocationMode {
	if mode == "" && complete {
		return v1alpha2.AllocationModeWaitForFirstConsumer
	}
	return mode
}

func consumerToV1alpha2(c v1alpha1.ResourceClaimConsumerReference) v1alpha2.ResourceClaimConsumerReference {
	return v1alpha2.ResourceClaimConsumerReference(c)
}

func consumerToV1alpha1(c v1alpha2.ResourceClaimConsumerReference) v1alpha1.ResourceClaimConsumerReference {
	return v1alpha1.ResourceClaimConsumerReference(c)
}

// convertList converts each element; an absent list stays absent.
func convertList[From, To any](room *slab[To], from []From, convert func(From) To) []To {
	if from == nil {
		return nil
	}
	to := room.list(len(from))
	for i := range from {
		to[i] = convert(from[i])
	}
	return to
}
