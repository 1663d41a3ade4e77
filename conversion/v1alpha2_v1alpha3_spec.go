package conversion

import (
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// The spec:
//
//	v1alpha2                               v1alpha3
//	resourceClassName: c                   devices.requests: [{name: claim, deviceClassName: c,
//	                                         allocationMode: ExactCount, count: 1}]
//	allocationMode: WaitForFirstConsumer   nothing, it is implied
//	allocationMode: Immediate,             an entry of kind ClassicClaimSpec in devices.config
//	  parametersRef
//	class of the first request, or         any other requests, constraints, configuration and controller are
//	  claimbridge.dev when there is none     left over

// structuredSpec is a whole spec of v1alpha3 but for the entry of ours, where a class does not say it all.
type structuredSpec struct {
	Requests    []v1alpha3.DeviceRequest            `json:"requests,omitempty"`
	Constraints []v1alpha3.DeviceConstraint         `json:"constraints,omitempty"`
	Config      []v1alpha3.DeviceClaimConfiguration `json:"config,omitempty"`
	Controller  string                              `json:"controller,omitempty"`
	// ClassicAt is the place of the ClassicClaimSpec entry among the configuration, when it is not the last.
	ClassicAt *int `json:"classicAt,omitempty"`
}

func upSpec(r *room, old *v1alpha2.ResourceClaimSpec, left *structuredSpec, complete bool) (*v1alpha3.ResourceClaimSpec, *classicSpec, int) {
	if old == nil {
		return nil, nil, -1
	}
	new := r.v1alpha3ResourceClaimSpec.one()
	at := -1
	switch {
	case left != nil:
		new.Devices = v1alpha3.DeviceClaim{Requests: left.Requests, Constraints: left.Constraints, Config: left.Config}
		new.Controller = left.Controller
		if left.ClassicAt != nil {
			at = *left.ClassicAt
		}
	case old.ResourceClassName != "":
		new.Devices.Requests = r.v1alpha3DeviceRequest.list(1)
		new.Devices.Requests[0] = v1alpha3.DeviceRequest{Name: requestName, DeviceClassName: old.ResourceClassName}
	}
	if complete {
		new.Devices.Requests = defaultedRequests(r, new.Devices.Requests)
	}
	return new, classicSpecOf(r, old, complete), at
}

// defaultedRequests are requests as the API server of 1.31 would complete them.
func defaultedRequests(room *room, requests []v1alpha3.DeviceRequest) []v1alpha3.DeviceRequest {
	if requests == nil {
		return nil
	}
	given := requests
	requests = room.v1alpha3DeviceRequest.list(len(given))
	copy(requests, given)
	for i := range requests {
		r := &requests[i]
		if r.AllocationMode == "" {
			r.AllocationMode = v1alpha3.DeviceAllocationModeExactCount
		}
		if r.AllocationMode == v1alpha3.DeviceAllocationModeExactCount && r.Count == 0 {
			r.Count = 1
		}
	}
	return requests
}

// classicSpecOf is what v1alpha3 has no field for; nil when that is nothing. In a fragment a mode that is the default
// is still somebody's.
func classicSpecOf(r *room, old *v1alpha2.ResourceClaimSpec, complete bool) *classicSpec {
	mode := old.AllocationMode
	if complete && mode == v1alpha2.AllocationModeWaitForFirstConsumer {
		mode = ""
	}
	if mode == "" && old.ParametersRef == nil {
		return nil
	}
	return r.classicSpec.put(classicSpec{
		AllocationMode: mode, APIVersion: entryAPIVersion, Kind: kindClassicSpec, ParametersRef: old.ParametersRef,
	})
}

func downSpec(r *room, new *v1alpha3.ResourceClaimSpec, entry *classicSpec, at int, complete bool) (*v1alpha2.ResourceClaimSpec, *structuredSpec) {
	if new == nil {
		return nil, nil
	}
	old := r.v1alpha2ResourceClaimSpec.put(v1alpha2.ResourceClaimSpec{ResourceClassName: classOf(new, complete)})
	if entry != nil {
		old.AllocationMode, old.ParametersRef = entry.AllocationMode, entry.ParametersRef
	}
	old.AllocationMode = defaulted(old.AllocationMode, complete)
	if isPlain(new, complete) {
		return old, nil
	}
	left := r.structuredSpec.put(structuredSpec{
		Requests: new.Devices.Requests, Constraints: new.Devices.Constraints, Config: new.Devices.Config,
		Controller: new.Controller,
	})
	if at >= 0 { // there is an entry, and it is not the last
		left.ClassicAt = r.ints.put(at)
	}
	return old, left
}

// classOf is the class that v1alpha2 shows. Its API allows no claim without one.
func classOf(new *v1alpha3.ResourceClaimSpec, complete bool) string {
	if len(new.Devices.Requests) > 0 && new.Devices.Requests[0].DeviceClassName != "" {
		return new.Devices.Requests[0].DeviceClassName
	}
	if complete {
		return domain
	}
	return ""
}

// isPlain tells whether a class says all there is; the configuration is without the entry of ours.
func isPlain(new *v1alpha3.ResourceClaimSpec, complete bool) bool {
	d := new.Devices
	if len(d.Constraints) > 0 || len(d.Config) > 0 || new.Controller != "" {
		return false
	}
	if len(d.Requests) == 0 {
		return !complete
	}
	r := d.Requests[0]
	exact := r.AllocationMode == "" || r.AllocationMode == v1alpha3.DeviceAllocationModeExactCount
	return len(d.Requests) == 1 && r.Name == requestName && r.DeviceClassName != "" && exact &&
		(r.Count == 0 || r.Count == 1) && len(r.Selectors) == 0 && !r.AdminAccess
}

// findClassicSpec finds the entry of ours. One that is not as this package writes it is foreign configuration.
func findClassicSpec(r *room, config []v1alpha3.DeviceClaimConfiguration, complete bool) (*classicSpec, int) {
	for i, c := range config {
		if len(c.Requests) > 0 || !isOurs(c.Opaque, kindClassicSpec) {
			continue
		}
		entry := r.classicSpec.one()
		if readEntry(r, c.Opaque, entry) && equalPointers(entry, classicSpecOf(r, entry.spec(), complete), r.equalClassicSpec) {
			return entry, i
		}
	}
	return nil, -1
}

func (e *classicSpec) spec() *v1alpha2.ResourceClaimSpec {
	return &v1alpha2.ResourceClaimSpec{AllocationMode: e.AllocationMode, ParametersRef: e.ParametersRef}
}

// check refuses a spec that v1alpha3 would not accept or that shows another class than the old object does.
func (s *structuredSpec) check(r *room, old *v1alpha2.ResourceClaimSpec, complete bool) error {
	if old == nil {
		return errors.New("there is no spec to complete")
	}
	restored, entry, _ := upSpec(r, old, s, complete)
	if classOf(restored, complete) != old.ResourceClassName {
		return errors.New("its first request is of another class")
	}
	if isPlain(restored, complete) {
		return errors.New("there is nothing to complete")
	}
	config := len(s.Config)
	if entry != nil {
		config++
	}
	if s.ClassicAt != nil && (entry == nil || *s.ClassicAt < 0 || *s.ClassicAt >= len(s.Config)) {
		return errors.New("classicAt is not a place among the configuration")
	}
	if len(s.Requests) > v1alpha3.DeviceRequestsMaxSize || len(s.Constraints) > v1alpha3.DeviceConstraintsMaxSize ||
		config > v1alpha3.DeviceConfigMaxSize {
		return errors.New("more requests, constraints or configuration entries than v1alpha3 allows")
	}
	names := map[string]bool{}
	for _, r := range s.Requests {
		if !isLabel(r.Name) || names[r.Name] {
			return errors.New("a request has no valid name of its own")
		}
		names[r.Name] = true
	}
	for i, c := range s.Config {
		if err := checkOpaque(c.Opaque); err != nil {
			return fmt.Errorf("configuration entry %d %w", i, err)
		}
	}
	return nil
}
