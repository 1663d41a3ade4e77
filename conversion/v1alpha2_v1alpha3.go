package conversion

import (
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// The cliff: v1alpha2 (Kubernetes 1.27 to 1.30) speaks of a class and of handles, v1alpha3 (1.31) of requests,
// devices and their configuration. The two halves are in files of their own, each with its table:
// v1alpha2_v1alpha3_spec.go and v1alpha2_v1alpha3_status.go. Spec never depends on status.
var v1alpha2ToV1alpha3 = step[claimV1alpha2, claimV1alpha3, onlyV1alpha2, structuredSpec, structuredAllocation]{
	old: "v1alpha2",
	new: "v1alpha3",

	up: func(old claimV1alpha2, newOnly leftovers[structuredSpec, structuredAllocation]) (claimV1alpha3, onlyV1alpha2) {
		new := claimV1alpha3{Complete: old.Complete, room: old.room}
		r := old.room
		oldOnly := onlyV1alpha2{specAt: -1, statusAt: -1}
		new.Spec, oldOnly.spec, oldOnly.specAt = upSpec(r, old.Spec, newOnly.Spec, old.Complete)
		request := requestName
		if new.Spec != nil && new.Complete && !newOnly.Settled {
			request = firstRequest(new.Spec)
		}
		if s := old.Status; s != nil {
			new.Status = r.v1alpha3ResourceClaimStatus.put(v1alpha3.ResourceClaimStatus{
				ReservedFor:           convertList(&r.v1alpha3ResourceClaimConsumerReference, s.ReservedFor, consumerToV1alpha3),
				DeallocationRequested: s.DeallocationRequested,
			})
			new.Status.Allocation, oldOnly.status, oldOnly.statusAt = upAllocation(r, s, newOnly.Status, request, old.Complete)
		}
		return new, oldOnly
	},

	down: func(new claimV1alpha3, oldOnly onlyV1alpha2) (claimV1alpha2, leftovers[structuredSpec, structuredAllocation]) {
		old := claimV1alpha2{Complete: new.Complete, room: new.room}
		r := new.room
		var newOnly leftovers[structuredSpec, structuredAllocation]
		old.Spec, newOnly.Spec = downSpec(r, new.Spec, oldOnly.spec, oldOnly.specAt, new.Complete)
		if s := new.Status; s != nil {
			old.Status = r.v1alpha2ResourceClaimStatus.put(v1alpha2.ResourceClaimStatus{
				ReservedFor:           convertList(&r.v1alpha2ResourceClaimConsumerReference, s.ReservedFor, consumerToV1alpha2FromV1alpha3),
				DeallocationRequested: s.DeallocationRequested,
			})
			if s.Allocation != nil {
				newOnly.Status = downAllocation(r, old.Status, s, oldOnly, newOnly.Spec == nil, new.Complete)
			}
		}
		return old, newOnly
	},

	store: func(new claimV1alpha3, oldOnly onlyV1alpha2) claimV1alpha3 {
		if oldOnly.spec != nil {
			new.Spec = new.room.v1alpha3ResourceClaimSpec.put(*new.Spec)
			new.Spec.Devices.Config = insert(&new.room.v1alpha3DeviceClaimConfiguration, new.Spec.Devices.Config, oldOnly.specAt,
				v1alpha3.DeviceClaimConfiguration{DeviceConfiguration: entryOf(new.room, oldOnly.spec)})
		}
		if oldOnly.status != nil {
			new.Status = new.room.v1alpha3ResourceClaimStatus.put(*new.Status)
			new.Status.Allocation = new.room.v1alpha3AllocationResult.put(*new.Status.Allocation)
			devices := &new.Status.Allocation.Devices
			devices.Config = insert(&new.room.v1alpha3DeviceAllocationConfiguration, devices.Config, oldOnly.statusAt,
				v1alpha3.DeviceAllocationConfiguration{
					Source:              v1alpha3.AllocationConfigSourceClass,
					DeviceConfiguration: entryOf(new.room, oldOnly.status),
				})
		}
		return new
	},

	take: func(new claimV1alpha3) (claimV1alpha3, onlyV1alpha2, []ignored) {
		oldOnly := onlyV1alpha2{specAt: -1, statusAt: -1}
		var unused []ignored
		if new.Spec != nil {
			if entry, at := findClassicSpec(new.room, new.Spec.Devices.Config, new.Complete); entry != nil {
				oldOnly.spec, new.Spec = entry, new.room.v1alpha3ResourceClaimSpec.put(*new.Spec)
				new.Spec.Devices.Config, oldOnly.specAt = remove(&new.room.v1alpha3DeviceClaimConfiguration, new.Spec.Devices.Config, at)
			}
		}
		if new.Status != nil && new.Status.Allocation != nil {
			entry, at, stale := findClassicAllocation(new.room, new.Status.Allocation, new.Complete)
			if stale {
				unused = append(unused, ignored{statusPart, "status.allocation.devices.config",
					"the entry of kind " + kindClassicAllocation + " is malformed or completes another allocation", true})
			}
			if entry != nil {
				oldOnly.status, new.Status = entry, new.room.v1alpha3ResourceClaimStatus.put(*new.Status)
				new.Status.Allocation = new.room.v1alpha3AllocationResult.put(*new.Status.Allocation)
				devices := &new.Status.Allocation.Devices
				devices.Config, oldOnly.statusAt = remove(&new.room.v1alpha3DeviceAllocationConfiguration, devices.Config, at)
			}
		}
		return new, oldOnly, unused
	},

	spec: func(old claimV1alpha2) any {
		if old.Spec == nil {
			return nil
		}
		spec := old.room.v1alpha2ResourceClaimSpec.put(*old.Spec)
		spec.AllocationMode = defaulted(spec.AllocationMode, true)
		return spec
	},
	status: func(old claimV1alpha2) any {
		if old.Status == nil || old.Status.Allocation == nil {
			return nil
		}
		return old.room.v1alpha2ResourceClaimStatus.put(v1alpha2.ResourceClaimStatus{DriverName: old.Status.DriverName, Allocation: old.Status.Allocation})
	},
	checkSpec: func(old claimV1alpha2, left *structuredSpec) error {
		return left.check(old.room, old.Spec, old.Complete)
	},
	checkStatus: func(old claimV1alpha2, left *structuredAllocation) error {
		return left.check(old.room, nativeAllocationUp(old.room, old.Status, requestName))
	},
	lost: func(old claimV1alpha2) []string {
		if old.Status != nil && old.Status.Allocation == nil && old.Status.DriverName != "" {
			return []string{"status.driverName"}
		}
		return nil
	},
}

// onlyV1alpha2 is what only v1alpha2 can say, and where its entries stand among the configuration: -1 is last.
type onlyV1alpha2 struct {
	spec             *classicSpec
	status           *classicAllocation
	specAt, statusAt int
}

// requestName of the one request that a class becomes.
const requestName = "claim"

// firstRequest is the request that the results of a classic allocation are for: one that the spec has.
func firstRequest(spec *v1alpha3.ResourceClaimSpec) string {
	if len(spec.Devices.Requests) == 0 {
		return ""
	}
	return spec.Devices.Requests[0].Name
}

func consumerToV1alpha3(c v1alpha2.ResourceClaimConsumerReference) v1alpha3.ResourceClaimConsumerReference {
	return v1alpha3.ResourceClaimConsumerReference(c)
}

func consumerToV1alpha2FromV1alpha3(c v1alpha3.ResourceClaimConsumerReference) v1alpha2.ResourceClaimConsumerReference {
	return v1alpha2.ResourceClaimConsumerReference(c)
}
