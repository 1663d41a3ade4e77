package v1alpha3

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// The spec:
//
//	v1alpha2                               v1alpha3
//	resourceClassName: c                   devices.requests: [{name: claim, deviceClassName: c,
//	                                         allocationMode: ExactCount, count: 1}]
//	allocationMode: WaitForFirstConsumer   nothing, it is implied
//	allocationMode: Immediate,             an entry of kind ClassicClaimSpec in devices.config
//	  parametersRef
//	class of the first request, or of its  any other requests, alternatives, constraints, configuration and controller
//	  first alternative, or claimbridge.dev  are left over

// StructuredSpec is a whole spec of v1alpha3 but for the entry of ours, where a class does not say it all.
type StructuredSpec struct {
	Requests    []v1alpha3.DeviceRequest            `json:"requests,omitempty"`
	Constraints []v1alpha3.DeviceConstraint         `json:"constraints,omitempty"`
	Config      []v1alpha3.DeviceClaimConfiguration `json:"config,omitempty"`
	Controller  string                              `json:"controller,omitempty"`
	// ClassicAt is the index of the ClassicClaimSpec entry among the configuration, when it is not the last.
	ClassicAt *int `json:"classicAt,omitempty"`
}

func upSpec(old *v1alpha2.ResourceClaimSpec, left *StructuredSpec, complete bool) *v1alpha3.ResourceClaimSpec {
	if old == nil {
		return nil
	}
	new := restoreSpec(old, left)
	if entry := classicSpecOf(old, complete); entry != nil {
		at := leftover.Last
		if left != nil && left.ClassicAt != nil {
			at = *left.ClassicAt
		}
		new.Devices.Config = leftover.Insert(new.Devices.Config, at, v1alpha3.DeviceClaimConfiguration{DeviceConfiguration: entryOf(entry)})
	}
	return new
}

// restoreSpec is the new spec but for the entry of ours.
func restoreSpec(old *v1alpha2.ResourceClaimSpec, left *StructuredSpec) *v1alpha3.ResourceClaimSpec {
	new := &v1alpha3.ResourceClaimSpec{}
	switch {
	case left != nil:
		new.Devices = v1alpha3.DeviceClaim{Requests: slices.Clone(left.Requests), Constraints: left.Constraints, Config: left.Config}
		new.Controller = left.Controller
	case old.ResourceClassName != "":
		new.Devices.Requests = []v1alpha3.DeviceRequest{{Name: requestName, DeviceClassName: old.ResourceClassName}}
	}
	return new
}

// classicSpecOf is what v1alpha3 has no field for; nil when that is nothing. In a fragment a mode that is the default
// is still somebody's.
func classicSpecOf(old *v1alpha2.ResourceClaimSpec, complete bool) *ClassicSpec {
	mode := old.AllocationMode
	if complete && mode == v1alpha2.AllocationModeWaitForFirstConsumer {
		mode = ""
	}
	if mode == "" && old.ParametersRef == nil {
		return nil
	}
	return &ClassicSpec{AllocationMode: mode, APIVersion: EntryAPIVersion, Kind: KindClassicSpec, ParametersRef: old.ParametersRef}
}

func downSpec(new *v1alpha3.ResourceClaimSpec, complete bool) (*v1alpha2.ResourceClaimSpec, *StructuredSpec) {
	if new == nil {
		return nil, nil
	}
	old, rest := &v1alpha2.ResourceClaimSpec{ResourceClassName: classOf(new, complete)}, *new
	entry, at := findClassicSpec(new.Devices.Config, complete)
	if entry != nil {
		old.AllocationMode, old.ParametersRef = entry.AllocationMode, entry.ParametersRef
		rest.Devices.Config, at = leftover.Remove(new.Devices.Config, at)
	}
	if isPlain(&rest, complete) {
		return old, nil
	}
	left := &StructuredSpec{
		Requests: rest.Devices.Requests, Constraints: rest.Devices.Constraints, Config: rest.Devices.Config, Controller: rest.Controller,
	}
	if entry != nil && at != leftover.Last {
		index := at // only then it needs memory
		left.ClassicAt = &index
	}
	return old, left
}

// Completed is a spec with its defaults. One that lacks none is not copied.
func Completed(spec *v1alpha3.ResourceClaimSpec) *v1alpha3.ResourceClaimSpec {
	if spec != nil && slices.ContainsFunc(spec.Devices.Requests, lacksDefaults) {
		spec = spec.DeepCopy()
		v1alpha3.SetSpecDefaults(spec)
	}
	return spec
}

func lacksDefaults(r v1alpha3.DeviceRequest) bool {
	ofClass := r.DeviceClassName != "" || len(r.FirstAvailable) == 0
	return ofClass && v1.LacksMode(r.AllocationMode, r.Count) || v1.LackOperators(r.Tolerations) ||
		slices.ContainsFunc(r.FirstAvailable, func(a v1alpha3.DeviceSubRequest) bool {
			return v1.LacksMode(a.AllocationMode, a.Count) || v1.LackOperators(a.Tolerations)
		})
}

// classOf is the class that v1alpha2 shows: of several alternatives that of the first, whichever was allocated, as a spec never
// depends on the status. The API of v1alpha2 allows no claim without a class.
func classOf(new *v1alpha3.ResourceClaimSpec, complete bool) string {
	if len(new.Devices.Requests) > 0 {
		r := &new.Devices.Requests[0]
		if r.DeviceClassName != "" {
			return r.DeviceClassName
		}
		if len(r.FirstAvailable) > 0 && r.FirstAvailable[0].DeviceClassName != "" {
			return r.FirstAvailable[0].DeviceClassName
		}
	}
	if complete {
		return names.Domain
	}
	return ""
}

// isPlain reports whether a class says all there is; the configuration is without the entry of ours.
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
		(r.Count == 0 || r.Count == 1) && len(r.Selectors) == 0 && r.AdminAccess == nil && len(r.FirstAvailable) == 0 &&
		len(r.Tolerations) == 0
}

// findClassicSpec finds the entry of ours. One that is not as this package writes it is foreign configuration.
func findClassicSpec(config []v1alpha3.DeviceClaimConfiguration, complete bool) (entry *ClassicSpec, index int) {
	for i, c := range config {
		if len(c.Requests) > 0 || !isOurs(c.Opaque, KindClassicSpec) {
			continue
		}
		entry := &ClassicSpec{}
		if kjson.ReadStrictly(Codec, c.Opaque.Parameters.Raw, entry) && reflect.DeepEqual(entry, classicSpecOf(entry.spec(), complete)) {
			return entry, i
		}
	}
	return nil, leftover.Last
}

func (e *ClassicSpec) spec() *v1alpha2.ResourceClaimSpec {
	return &v1alpha2.ResourceClaimSpec{AllocationMode: e.AllocationMode, ParametersRef: e.ParametersRef}
}

// check refuses a spec that v1alpha3 would not accept or that shows another class than the old object does.
func (s *StructuredSpec) check(old *v1alpha2.ResourceClaimSpec, complete bool) error {
	if old == nil {
		return errors.New("there is no spec to complete")
	}
	restored, entry := restoreSpec(old, s), classicSpecOf(old, complete)
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
	taken := map[string]bool{}
	for _, r := range s.Requests {
		if !names.IsLabel(r.Name) || taken[r.Name] {
			return errors.New("a request has no valid name of its own")
		}
		taken[r.Name] = true
	}
	for i, c := range s.Config {
		if err := checkOpaque(c.Opaque); err != nil {
			return fmt.Errorf("configuration entry %d %w", i, err)
		}
	}
	return nil
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
