package validation

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/names"
)

// The parts of an object that rules of several files validate. They lack items that the release does not validate.

// requests returns the requests that are validated.
func (in *input) requests() []v1.DeviceRequest {
	return validatedItems(in, in.new.spec.Devices.Requests, v1.DeviceRequestsMaxSize)
}

func (in *input) requestPath(i int) *field.Path { return in.paths.devices.Child("requests").Index(i) }

func isAmbiguous(r *v1.DeviceRequest) bool { return r.Exactly != nil && len(r.FirstAvailable) > 0 }

// isDeclarative reports whether declarative validation validates a spec in addition. It covers only what an update
// changes.
func (in *input) isDeclarative() bool {
	return in.release.hasDeclarativeValidation() && !in.mode.contentOnly
}

// skipsAmbiguous reports whether the content of a request is not validated because it has both exactly and
// firstAvailable.
func (in *input) skipsAmbiguous(r *v1.DeviceRequest) bool {
	if !isAmbiguous(r) || !in.release.skipsAmbiguousRequests() {
		return false
	}
	old := in.oldRequest(r.Name)
	isUnchanged := old != nil && semantic.DeepEqual(old, r)
	return !in.isDeclarative() || isUnchanged
}

// oldRequest returns the request of the old object with a name; nil when there is none.
func (in *input) oldRequest(name string) *v1.DeviceRequest {
	if in.old.spec == nil {
		return nil
	}
	requests := in.old.spec.Devices.Requests
	i := slices.IndexFunc(requests, func(r v1.DeviceRequest) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &requests[i]
}

// oldAlternative returns the alternative of the old object with the names of a subrequest; nil when there is none.
func (in *input) oldAlternative(r *subRequest) *v1.DeviceSubRequest {
	old := in.oldRequest(r.request.Name)
	if old == nil {
		return nil
	}
	i := slices.IndexFunc(old.FirstAvailable, func(a v1.DeviceSubRequest) bool { return a.Name == r.Name })
	if i < 0 {
		return nil
	}
	return &old.FirstAvailable[i]
}

// constraints returns the constraints that are validated.
func (in *input) constraints() []v1.DeviceConstraint {
	return validatedItems(in, in.new.spec.Devices.Constraints, v1.DeviceConstraintsMaxSize)
}

func (in *input) constraintPath(i int) *field.Path {
	return in.paths.devices.Child("constraints").Index(i)
}

var (
	resultsPath         = allocationPath.Child("devices", "results")
	allocatedConfigPath = allocationPath.Child("devices", "config")
)

// skipsAllocation reports whether the content of the allocation is not validated, because the claim was allocated
// before the write and the allocation cannot change.
func (in *input) skipsAllocation() bool {
	return in.mode.skipsAllocation || in.old.isAllocated && !in.mode.contentOnly &&
		in.release.skipsContentOfUnchangedAllocations()
}

var noAllocation v1.DeviceAllocationResult

// validatedAllocation returns the devices of the new allocation; none when there is no allocation, or when it is not
// validated.
func (in *input) validatedAllocation() *v1.DeviceAllocationResult {
	if in.new.status.Allocation == nil || in.skipsAllocation() {
		return &noAllocation
	}
	return &in.new.status.Allocation.Devices
}

// allocatedResults returns the results that are validated.
func (in *input) allocatedResults() []v1.DeviceRequestAllocationResult {
	return validatedItems(in, in.validatedAllocation().Results, v1.AllocationResultsMaxSize)
}

// countAllocatedConfig returns the number of entries of an allocation's configuration that count toward the limit.
// claimbridge's own entries do not count, so that an allocation that fits in an older version fits here too.
func (in *input) countAllocatedConfig() int {
	entries := in.validatedAllocation().Config
	if len(entries) <= v1.AllocationConfigMaxSize {
		return len(entries)
	}
	count := 0
	for i := range entries {
		isOwn := entries[i].Opaque != nil && entries[i].Opaque.Driver == names.Domain
		if !isOwn || !in.release.exemptsOwnConfig() {
			count++
		}
	}
	return count
}

// allocatedConfig returns the configuration of the allocation that is validated.
func (in *input) allocatedConfig() []v1.DeviceAllocationConfiguration {
	if in.release.skipsItemsOfLongLists() && in.countAllocatedConfig() > v1.AllocationConfigMaxSize {
		return nil
	}
	return in.validatedAllocation().Config
}

// config has the fields that entries of both lists of configuration have: those of the spec and of the allocation.
type config struct {
	requests []string
	opaque   *v1.OpaqueDeviceConfiguration
}

// configs returns the configuration that is validated, with its paths: of the allocation on UpdateStatus, otherwise of
// the spec. Both have the same rules.
func (in *input) configs() iter.Seq2[*field.Path, config] {
	return func(yield func(*field.Path, config) bool) {
		if in.operation == UpdateStatus {
			for i, c := range in.allocatedConfig() {
				if !yield(allocatedConfigPath.Index(i), config{c.Requests, c.Opaque}) {
					return
				}
			}
			return
		}
		for i, c := range validatedItems(in, in.new.spec.Devices.Config, v1.DeviceConfigMaxSize) {
			if !yield(in.paths.devices.Child("config").Index(i), config{c.Requests, c.Opaque}) {
				return
			}
		}
	}
}
