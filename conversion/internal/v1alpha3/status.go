package v1alpha3

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	classic "github.com/claimbridge/claimbridge/conversion/internal/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// An allocation has a native reading in each direction: nativeAllocationUp (in allocation_up.go)
// and nativeAllocationDown (in allocation_down.go), each with its table. Going up, what only the
// classic allocation said is an entry of kind ClassicAllocation; where the native reading gives it
// all back there is none.

func upStatus(old *v1alpha2.ResourceClaimStatus, f chain.Form) *v1alpha3.ResourceClaimStatus {
	new := &v1alpha3.ResourceClaimStatus{ReservedFor: old.ReservedFor, DeallocationRequested: old.DeallocationRequested}
	if old.Allocation != nil {
		new.Allocation = upAllocation(withOneKindOfData(old), f.Request, f.Complete)
	}
	return new
}

// withOneKindOfData is a status without the data of handles that have structured data as well,
// which v1alpha2 does not accept: an entry with such a handle would not be restored, nor anything
// else that it holds.
func withOneKindOfData(old *v1alpha2.ResourceClaimStatus) *v1alpha2.ResourceClaimStatus {
	hasBoth := func(h v1alpha2.ResourceHandle) bool { return h.Data != "" && h.StructuredData != nil }
	if !slices.ContainsFunc(old.Allocation.ResourceHandles, hasBoth) {
		return old
	}
	status, allocation := *old, *old.Allocation
	allocation.ResourceHandles = slices.Clone(allocation.ResourceHandles)
	for i := range allocation.ResourceHandles {
		if hasBoth(allocation.ResourceHandles[i]) {
			allocation.ResourceHandles[i].Data = ""
		}
	}
	status.Allocation = &allocation
	return &status
}

// upAllocation gives the new allocation, with an entry of what only the old one says.
func upAllocation(old *v1alpha2.ResourceClaimStatus, request string, complete bool) *v1alpha3.AllocationResult {
	new, held := nativeAllocationUp(old, request)
	if entry := classicAllocationOf(old, new, held, complete); entry != nil {
		new.Devices.Config = append(slices.Clip(new.Devices.Config), v1alpha3.DeviceAllocationConfiguration{
			Source: v1alpha3.AllocationConfigSourceClass, DeviceConfiguration: EntryOf(entry),
		})
	}
	return new
}

// classicAllocationOf is what the new allocation does not say; nil when it says it all.
func classicAllocationOf(old *v1alpha2.ResourceClaimStatus, new *v1alpha3.AllocationResult, held []ResourceHandle,
	complete bool,
) *ClassicAllocation {
	native := nativeAllocationDown(new, held, complete)
	entry, some := ClassicAllocation{APIVersion: EntryAPIVersion, Kind: KindClassicAllocation}, false
	if native.DriverName != old.DriverName {
		entry.DriverName, some = &old.DriverName, true
	}
	if !slices.EqualFunc(native.Allocation.ResourceHandles, old.Allocation.ResourceHandles, classic.EqualHandle) {
		entry.Handles = leftover.Differ(native.Allocation.ResourceHandles, old.Allocation.ResourceHandles,
			classic.HandleKey)
		some = true
	}
	if complete && !old.Allocation.Shareable {
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

// findClassicAllocation finds the entry of claimbridge, the last one if there are several, and gives the
// rest of the allocation. One that is not as this package would write it for that rest is foreign
// configuration.
func findClassicAllocation(stored *v1alpha3.AllocationResult,
	complete bool,
) (entry *ClassicAllocation, rest *v1alpha3.AllocationResult) {
	config := stored.Devices.Config
	for i := len(config) - 1; i >= 0; i-- {
		if !IsOfAllocation(&config[i], KindClassicAllocation) {
			continue
		}
		entry, rest := &ClassicAllocation{}, *stored
		rest.Devices.Config = slices.Concat(config[:i], config[i+1:])
		if kjson.ReadStrictly(config[i].Opaque.Parameters.Raw, entry) && entry.check(&rest, complete) {
			return entry, &rest
		}
		break
	}
	return nil, stored
}

// check reports whether the entry is what an honest conversion would have written, its digest included.
func (e *ClassicAllocation) check(new *v1alpha3.AllocationResult, complete bool) bool {
	native := nativeAllocationDown(new, nil, complete)
	if !e.complete(&native) || e.Handles != nil && !classic.AcceptsHandles(native.Allocation.ResourceHandles) ||
		e.DriverName != nil && *e.DriverName != "" && !names.IsDriver(*e.DriverName) {
		return false
	}
	honest := classicAllocationOf(&native, new, nil, complete)
	return honest != nil && bytes.Equal(kjson.AppendCanonical(nil, e), kjson.AppendCanonical(nil, honest))
}

// complete adds to the native reading what only the classic allocation said, and is false if that
// is not of this reading.
func (e *ClassicAllocation) complete(native *v1alpha2.ResourceClaimStatus) (ok bool) {
	if e.DriverName != nil {
		native.DriverName = *e.DriverName
	}
	if e.Shareable != nil {
		native.Allocation.Shareable = *e.Shareable
	}
	if e.Handles == nil {
		return true
	}
	native.Allocation.ResourceHandles, ok = e.Handles.Apply(native.Allocation.ResourceHandles,
		v1alpha2.AllocationResultResourceHandlesMaxSize)
	return ok
}

func downStatus(new *v1alpha3.ResourceClaimStatus, f chain.Form) *v1alpha2.ResourceClaimStatus {
	old := &v1alpha2.ResourceClaimStatus{ReservedFor: new.ReservedFor, DeallocationRequested: new.DeallocationRequested}
	if new.Allocation != nil {
		downAllocation(old, new.Allocation, f.Complete)
	}
	return old
}

// downAllocation fills the old status with what the new allocation says.
func downAllocation(old *v1alpha2.ResourceClaimStatus, stored *v1alpha3.AllocationResult, complete bool) {
	entry, new := findClassicAllocation(stored, complete)
	native := nativeAllocationDown(new, nil, complete)
	old.DriverName, old.Allocation = native.DriverName, native.Allocation
	if entry == nil {
		return
	}
	entry.complete(old)
	if complete && len(old.ReservedFor) > 1 { // no client of v1alpha2 could write such a claim that is not shareable
		old.Allocation.Shareable = true
	}
}
