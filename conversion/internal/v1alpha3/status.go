package v1alpha3

import (
	"errors"
	"reflect"
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	classic "github.com/claimbridge/claimbridge/conversion/internal/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// An allocation has a native reading in each direction: nativeAllocationUp (in allocation_up.go) and
// nativeAllocationDown (in allocation_down.go), each with its table. What one reading after the other does not give
// back is left over:
//
//   - going up, what only the classic allocation said is an entry of kind ClassicAllocation;
//   - going down, what only the structured allocation said is a StructuredAllocation beside the object.
//
// So a leftover completes what is visible and never replaces it, and where both sides can say a thing there is none.

// StructuredAllocation is how an allocation of v1alpha3 differs from the native reading of its classic copy.
type StructuredAllocation struct {
	Controller *string                                   `json:"controller,omitempty"`
	Results    *[]v1alpha3.DeviceRequestAllocationResult `json:"results,omitempty"`
	// Config is without requests, which stand apart, one list an entry: so an entry that differs from a native one
	// only in them need not carry its parameters.
	Config         leftover.Delta[v1alpha3.DeviceAllocationConfiguration] `json:"config,omitzero"`
	ConfigRequests [][]string                                             `json:"configRequests,omitempty"`
	// ClassicAt is the index of the ClassicAllocation entry among the configuration, when it is not the last.
	ClassicAt *int `json:"classicAt,omitempty"`
	// Exclusive is set when the entry says that the claim is not shareable although two consumers are stored: no
	// client of v1alpha2 could write such a claim, so it reads as shareable.
	Exclusive bool `json:"exclusive,omitzero"`
	// Devices are what drivers report of the devices. They change while the allocation stays, and count as long as it does, or
	// as long as there is none.
	Devices []v1alpha3.AllocatedDeviceStatus `json:"devices,omitempty"`
}

// upAllocation gives the new allocation, with an entry of what only the old one says.
func upAllocation(old *v1alpha2.ResourceClaimStatus, left *StructuredAllocation, request string, complete bool) *v1alpha3.AllocationResult {
	if old.Allocation == nil {
		return nil
	}
	at, exclusive := leftover.Last, false
	if left != nil {
		request = requestName
	}
	new, held := nativeAllocationUp(old, request)
	if left != nil {
		new, held = left.apply(new), nil
		if left.ClassicAt != nil {
			at = *left.ClassicAt
		}
		exclusive = left.Exclusive
	}
	if entry := classicAllocationOf(old, new, held, exclusive, complete); entry != nil {
		new.Devices.Config = leftover.Insert(new.Devices.Config, at, v1alpha3.DeviceAllocationConfiguration{
			Source: v1alpha3.AllocationConfigSourceClass, DeviceConfiguration: entryOf(entry),
		})
	}
	return new
}

// classicAllocationOf is what the new allocation does not say; nil when it says it all.
func classicAllocationOf(old *v1alpha2.ResourceClaimStatus, new *v1alpha3.AllocationResult, held []ResourceHandle, exclusive, complete bool) *ClassicAllocation {
	native := nativeAllocationDown(new, held, complete)
	entry, some := ClassicAllocation{APIVersion: EntryAPIVersion, Kind: KindClassicAllocation}, false
	if native.DriverName != old.DriverName {
		entry.DriverName, some = &old.DriverName, true
	}
	if !classic.EqualHandles(native.Allocation.ResourceHandles, old.Allocation.ResourceHandles) {
		entry.Handles, some = leftover.Differ(native.Allocation.ResourceHandles, old.Allocation.ResourceHandles, classic.HandleKey, nil), true
	}
	if complete && (!old.Allocation.Shareable || exclusive) {
		entry.Shareable, some = notShareable(), true
	}
	if !some {
		return nil
	}
	entry.Digest = leftover.Digest(new)
	found := entry // most allocations have none, and need no memory for one
	return &found
}

func notShareable() *bool { return new(bool) }

// findClassicAllocation finds the entry of ours, the last one if there are several, and gives the rest of the allocation. One
// that is not as this package would write it for that rest is foreign configuration; stale tells that it is such a one.
func findClassicAllocation(stored *v1alpha3.AllocationResult, complete bool) (entry *ClassicAllocation, rest *v1alpha3.AllocationResult, at int, stale bool) {
	for i := len(stored.Devices.Config) - 1; i >= 0; i-- {
		if !isClassicAllocation(stored.Devices.Config[i]) {
			continue
		}
		entry, rest := &ClassicAllocation{}, *stored
		rest.Devices.Config, at = leftover.Remove(stored.Devices.Config, i)
		if kjson.ReadStrictly(Codec, stored.Devices.Config[i].Opaque.Parameters.Raw, entry) && entry.check(&rest, complete) {
			return entry, &rest, at, false
		}
		return nil, stored, leftover.Last, true
	}
	return nil, stored, leftover.Last, false
}

// isClassicAllocation reports whether an entry claims to be the one of ours, in its place.
func isClassicAllocation(c v1alpha3.DeviceAllocationConfiguration) bool {
	return c.Source == v1alpha3.AllocationConfigSourceClass && len(c.Requests) == 0 &&
		isOurs(c.Opaque, KindClassicAllocation)
}

// check reports whether the entry is what an honest conversion would have written, its digest included.
func (e *ClassicAllocation) check(new *v1alpha3.AllocationResult, complete bool) bool {
	native := nativeAllocationDown(new, nil, complete)
	if e.Handles.Check(native.Allocation.ResourceHandles, v1alpha2.AllocationResultResourceHandlesMaxSize, nil) != nil {
		return false
	}
	e.complete(&native)
	if e.Handles != nil && classic.CheckHandles(native.Allocation.ResourceHandles) != nil {
		return false
	}
	if e.DriverName != nil && *e.DriverName != "" && !names.IsDriver(*e.DriverName) {
		return false
	}
	return e.same(classicAllocationOf(&native, new, nil, false, complete))
}

func (e *ClassicAllocation) same(other *ClassicAllocation) bool {
	return other != nil && e.APIVersion == other.APIVersion && e.Digest == other.Digest && e.Kind == other.Kind &&
		leftover.EqualPointers(e.DriverName, other.DriverName, leftover.Same) && leftover.EqualPointers(e.Shareable, other.Shareable, leftover.Same) &&
		slices.EqualFunc(e.Handles, other.Handles, func(a, b leftover.DeltaItem[v1alpha2.ResourceHandle]) bool {
			return leftover.EqualPointers(a.Native, b.Native, leftover.Same) && leftover.EqualPointers(a.Item, b.Item, classic.EqualHandle)
		})
}

// complete adds to the native reading what only the classic allocation said.
func (e *ClassicAllocation) complete(native *v1alpha2.ResourceClaimStatus) {
	if e.DriverName != nil {
		native.DriverName = *e.DriverName
	}
	if e.Handles != nil {
		native.Allocation.ResourceHandles = e.Handles.Apply(native.Allocation.ResourceHandles)
	}
	if e.Shareable != nil {
		native.Allocation.Shareable = *e.Shareable
	}
}

// downAllocation fills the old status with what the new allocation says and gives what is left over. A spec that is
// not plain may have other request names; then there is always a leftover, even one that holds nothing, so that the
// status comes back the same whether or not the spec was restored.
func downAllocation(old *v1alpha2.ResourceClaimStatus, status *v1alpha3.ResourceClaimStatus, plain, complete, shownOnly bool) (*StructuredAllocation, []leftover.Ignored) {
	stored := status.Allocation
	entry, new, at, stale := findClassicAllocation(stored, complete)
	var unused []leftover.Ignored
	if stale {
		unused = []leftover.Ignored{{Kind: leftover.Status, Field: "status.allocation.devices.config",
			Why: "the entry of kind " + KindClassicAllocation + " is malformed or completes another allocation", Stale: true}}
	}
	native := nativeAllocationDown(new, nil, complete)
	old.DriverName, old.Allocation = native.DriverName, native.Allocation
	left, some := StructuredAllocation{Devices: status.Devices}, !plain || len(status.Devices) > 0
	if entry != nil {
		entry.complete(old)
		if !old.Allocation.Shareable && complete && len(old.ReservedFor) > 1 {
			old.Allocation.Shareable = true
			left.Exclusive, some = true, true
		}
		if at != leftover.Last {
			index := at
			left.ClassicAt, some = &index, true
		}
	}
	if shownOnly {
		return nil, unused
	}
	back, _ := nativeAllocationUp(old, requestName)
	if back.Controller != new.Controller {
		left.Controller, some = &new.Controller, true
	}
	if !slices.EqualFunc(back.Devices.Results, new.Devices.Results, equalResult) {
		left.Results, some = &new.Devices.Results, true
	}
	if !slices.EqualFunc(back.Devices.Config, new.Devices.Config, EqualEntry) {
		left.setConfig(back.Devices.Config, new.Devices.Config)
		some = true
	}
	if !some {
		return nil, unused
	}
	found := left
	return &found, unused
}

// checkUnallocated refuses what would complete an allocation where there is none.
func (s *StructuredAllocation) checkUnallocated() error {
	if len(s.Devices) == 0 || !reflect.DeepEqual(*s, StructuredAllocation{Devices: s.Devices}) {
		return errors.New("there is no allocation to complete")
	}
	return nil
}

// check refuses an allocation that v1alpha3 would not accept.
func (s *StructuredAllocation) check(native *v1alpha3.AllocationResult) error {
	if err := s.Config.Check(native.Devices.Config, kjson.MaxList, sizeOfEntry); err != nil {
		return err
	}
	if len(s.ConfigRequests) != 0 && len(s.ConfigRequests) != len(s.Config) {
		return errors.New("configRequests is not a list for each entry of config")
	}
	restored := s.apply(native)
	if s.ClassicAt != nil && (*s.ClassicAt < 0 || *s.ClassicAt >= len(restored.Devices.Config)) {
		return errors.New("classicAt is not a place among the configuration")
	}
	if restored.Controller != "" && !names.IsDriver(restored.Controller) {
		return errors.New("the controller has no valid name")
	}
	if err := checkResults(restored.Devices.Results); err != nil {
		return err
	}
	return checkAllocationConfig(restored.Devices.Config)
}

// apply gives the allocation that the leftover completes.
func (s *StructuredAllocation) apply(native *v1alpha3.AllocationResult) *v1alpha3.AllocationResult {
	new := *native
	if s.Controller != nil {
		new.Controller = *s.Controller
	}
	if s.Results != nil {
		new.Devices.Results = nil // rather than empty
		new.Devices.Results = append(new.Devices.Results, *s.Results...)
	}
	if s.Config != nil {
		config, _ := splitRequests(native.Devices.Config)
		new.Devices.Config = s.Config.Apply(config)
		for i := range s.ConfigRequests {
			new.Devices.Config[i].Requests = s.ConfigRequests[i]
		}
	}
	return &new
}

func (s *StructuredAllocation) setConfig(native, want []v1alpha3.DeviceAllocationConfiguration) {
	nativeEntries, _ := splitRequests(native)
	entries, requests := splitRequests(want)
	s.Config, s.ConfigRequests = leftover.Differ(nativeEntries, entries, entryKey, sizeOfEntry), requests
}

// splitRequests gives the entries without their requests, and the requests; nil when no entry has any.
func splitRequests(config []v1alpha3.DeviceAllocationConfiguration) (entries []v1alpha3.DeviceAllocationConfiguration, requests [][]string) {
	entries = slices.Clone(config)
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
