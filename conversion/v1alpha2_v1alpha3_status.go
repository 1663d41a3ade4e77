package conversion

import (
	"errors"
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// An allocation has a native reading in each direction: nativeAllocationUp (in allocation_up.go) and
// nativeAllocationDown (in allocation_down.go), each with its table. What one reading after the other does not give
// back is left over:
//
//   - going up, what only the classic allocation said is an entry of kind ClassicAllocation;
//   - going down, what only the structured allocation said is a structuredAllocation beside the object.
//
// So a leftover completes what is visible and never replaces it, and where both sides can say a thing there is none.

// structuredAllocation is how an allocation of v1alpha3 differs from the native reading of its classic copy.
type structuredAllocation struct {
	Controller *string                                   `json:"controller,omitempty"`
	Results    *[]v1alpha3.DeviceRequestAllocationResult `json:"results,omitempty"`
	// Config is without requests, which stand apart, one list an entry: so an entry that differs from a native one
	// only in them need not carry its parameters.
	Config         delta[v1alpha3.DeviceAllocationConfiguration] `json:"config,omitzero"`
	ConfigRequests [][]string                                    `json:"configRequests,omitempty"`
	// ClassicAt is the place of the ClassicAllocation entry among the configuration, when it is not the last.
	ClassicAt *int `json:"classicAt,omitempty"`
	// Exclusive is set when the entry says that the claim is not shareable although two consumers are stored: no
	// client of v1alpha2 could write such a claim, so it reads as shareable.
	Exclusive bool `json:"exclusive,omitzero"`
}

// upAllocation gives the new allocation, what only the old one says, and the place of its entry.
func upAllocation(r *room, old *v1alpha2.ResourceClaimStatus, left *structuredAllocation, request string, complete bool) (*v1alpha3.AllocationResult, *classicAllocation, int) {
	if old.Allocation == nil {
		return nil, nil, -1
	}
	at, exclusive := -1, false
	var new *v1alpha3.AllocationResult
	if left != nil {
		new = left.apply(r, nativeAllocationUp(r, old, requestName))
		if left.ClassicAt != nil {
			at = *left.ClassicAt
		}
		exclusive = left.Exclusive
	} else {
		new = nativeAllocationUp(r, old, request)
	}
	return new, classicAllocationOf(r, old, new, exclusive, complete), at
}

// classicAllocationOf is what the new allocation does not say; nil when it says it all.
func classicAllocationOf(r *room, old *v1alpha2.ResourceClaimStatus, new *v1alpha3.AllocationResult, exclusive, complete bool) *classicAllocation {
	native := nativeAllocationDown(r, new, complete)
	entry := r.classicAllocation.put(classicAllocation{APIVersion: entryAPIVersion, Kind: kindClassicAllocation})
	some := false
	if native.DriverName != old.DriverName {
		entry.DriverName, some = &old.DriverName, true
	}
	if !equalLists(native.Allocation.ResourceHandles, old.Allocation.ResourceHandles, r.equalV1alpha2ResourceHandle) {
		entry.Handles, some = differHandles(r, native.Allocation.ResourceHandles, old.Allocation.ResourceHandles), true
	}
	if complete && (!old.Allocation.Shareable || exclusive) {
		entry.Shareable, some = notShareable(), true
	}
	if !some {
		return nil
	}
	entry.Digest = r.digest(new)
	return entry
}

func notShareable() *bool { return new(bool) }

// findClassicAllocation finds the entry of ours, the last one if there are several. One that is not as this package
// would write it for the rest of the allocation is foreign configuration; stale tells that it is such a one.
func findClassicAllocation(r *room, stored *v1alpha3.AllocationResult, complete bool) (entry *classicAllocation, at int, stale bool) {
	for i := len(stored.Devices.Config) - 1; i >= 0; i-- {
		if !isClassicAllocation(stored.Devices.Config[i]) {
			continue
		}
		rest := *stored
		rest.Devices.Config, _ = remove(&r.v1alpha3DeviceAllocationConfiguration, stored.Devices.Config, i)
		entry := r.classicAllocation.one()
		if readEntry(r, stored.Devices.Config[i].Opaque, entry) && entry.check(r, &rest, complete) {
			return entry, i, false
		}
		return nil, -1, true
	}
	return nil, -1, false
}

// isClassicAllocation tells whether an entry claims to be the one of ours, in its place.
func isClassicAllocation(c v1alpha3.DeviceAllocationConfiguration) bool {
	return c.Source == v1alpha3.AllocationConfigSourceClass && len(c.Requests) == 0 &&
		isOurs(c.Opaque, kindClassicAllocation)
}

// check tells whether the entry is what an honest conversion would have written, its digest included.
func (e *classicAllocation) check(r *room, new *v1alpha3.AllocationResult, complete bool) bool {
	native := nativeAllocationDown(r, new, complete)
	if e.Handles.check(native.Allocation.ResourceHandles, v1alpha2.AllocationResultResourceHandlesMaxSize, nil) != nil {
		return false
	}
	e.complete(native)
	if e.Handles != nil && checkHandles(native.Allocation.ResourceHandles) != nil {
		return false
	}
	if e.DriverName != nil && *e.DriverName != "" && !isDriver(*e.DriverName) {
		return false
	}
	return equalPointers(e, classicAllocationOf(r, native, new, false, complete), r.equalClassicAllocation)
}

// complete adds to the native reading what only the classic allocation said.
func (e *classicAllocation) complete(native *v1alpha2.ResourceClaimStatus) {
	if e.DriverName != nil {
		native.DriverName = *e.DriverName
	}
	if e.Handles != nil {
		native.Allocation.ResourceHandles = e.Handles.apply(native.Allocation.ResourceHandles)
	}
	if e.Shareable != nil {
		native.Allocation.Shareable = *e.Shareable
	}
}

// downAllocation fills the old status with what the new allocation says and gives what is left over. A spec that is
// not plain may have other request names; then there is always a leftover, even one that holds nothing, so that the
// status comes back the same whether or not the spec was restored.
func downAllocation(r *room, old *v1alpha2.ResourceClaimStatus, new *v1alpha3.ResourceClaimStatus, oldOnly onlyV1alpha2, plain, complete bool) *structuredAllocation {
	native := nativeAllocationDown(r, new.Allocation, complete)
	old.DriverName, old.Allocation = native.DriverName, native.Allocation
	left, some := r.structuredAllocation.one(), !plain
	if oldOnly.status != nil {
		oldOnly.status.complete(old)
		if !old.Allocation.Shareable && complete && len(old.ReservedFor) > 1 {
			old.Allocation.Shareable = true
			left.Exclusive, some = true, true
		}
		if oldOnly.statusAt >= 0 {
			left.ClassicAt, some = r.ints.put(oldOnly.statusAt), true
		}
	}
	back := nativeAllocationUp(r, old, requestName)
	if back.Controller != new.Allocation.Controller {
		left.Controller, some = &new.Allocation.Controller, true
	}
	if !slices.Equal(back.Devices.Results, new.Allocation.Devices.Results) {
		left.Results, some = &new.Allocation.Devices.Results, true
	}
	if !equalLists(back.Devices.Config, new.Allocation.Devices.Config, r.equalV1alpha3DeviceAllocationConfiguration) {
		left.setConfig(r, back.Devices.Config, new.Allocation.Devices.Config)
		some = true
	}
	if !some {
		return nil
	}
	return left
}

// check refuses an allocation that v1alpha3 would not accept.
func (s *structuredAllocation) check(r *room, native *v1alpha3.AllocationResult) error {
	if err := s.Config.check(native.Devices.Config, v1alpha3.AllocationConfigMaxSize, sizeOfEntry); err != nil {
		return err
	}
	if len(s.ConfigRequests) != 0 && len(s.ConfigRequests) != len(s.Config) {
		return errors.New("configRequests is not a list for each entry of config")
	}
	restored := s.apply(r, native)
	if s.ClassicAt != nil && (*s.ClassicAt < 0 || *s.ClassicAt >= len(restored.Devices.Config)) {
		return errors.New("classicAt is not a place among the configuration")
	}
	if restored.Controller != "" && !isDriver(restored.Controller) {
		return errors.New("the controller has no valid name")
	}
	if err := checkResults(restored.Devices.Results); err != nil {
		return err
	}
	return checkAllocationConfig(restored.Devices.Config)
}

// apply gives the allocation that the leftover completes.
func (s *structuredAllocation) apply(r *room, native *v1alpha3.AllocationResult) *v1alpha3.AllocationResult {
	new := *native
	if s.Controller != nil {
		new.Controller = *s.Controller
	}
	if s.Results != nil {
		new.Devices.Results = nil // rather than empty
		new.Devices.Results = append(new.Devices.Results, *s.Results...)
	}
	if s.Config != nil {
		config, _ := splitRequests(r, native.Devices.Config)
		new.Devices.Config = s.Config.apply(config)
		for i := range s.ConfigRequests {
			new.Devices.Config[i].Requests = s.ConfigRequests[i]
		}
	}
	return &new
}

func (s *structuredAllocation) setConfig(r *room, native, want []v1alpha3.DeviceAllocationConfiguration) {
	nativeEntries, _ := splitRequests(r, native)
	entries, requests := splitRequests(r, want)
	list := r.deltaItemV1alpha3DeviceAllocationConfiguration.list(len(entries))
	s.Config, s.ConfigRequests = differ(r, list, nativeEntries, entries, r.equalV1alpha3DeviceAllocationConfiguration, sizeOfEntry), requests
}

// splitRequests gives the entries without their requests, and the requests; nil when no entry has any.
func splitRequests(r *room, config []v1alpha3.DeviceAllocationConfiguration) (entries []v1alpha3.DeviceAllocationConfiguration, requests [][]string) {
	entries = r.v1alpha3DeviceAllocationConfiguration.list(len(config))
	copy(entries, config)
	for i, c := range config {
		if len(c.Requests) > 0 && requests == nil {
			requests = make([][]string, len(config))
		}
		if len(c.Requests) > 0 {
			requests[i] = c.Requests
		}
		entries[i].Requests = nil
	}
	return entries, requests
}
