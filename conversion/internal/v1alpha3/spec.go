package v1alpha3

import (
	"reflect"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
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
//	  first alternative, or claimbridge.dev  are hidden

func upSpec(old *v1alpha2.ResourceClaimSpec, f chain.Form) *v1alpha3.ResourceClaimSpec {
	new := &v1alpha3.ResourceClaimSpec{}
	if old.ResourceClassName != "" {
		new.Devices.Requests = []v1alpha3.DeviceRequest{{Name: requestName, DeviceClassName: old.ResourceClassName}}
	}
	if entry := classicSpecOf(old, f.Complete); entry != nil {
		new.Devices.Config = []v1alpha3.DeviceClaimConfiguration{{DeviceConfiguration: EntryOf(entry)}}
	}
	if f.GetsDefaults() {
		v1alpha3.SetSpecDefaults(new)
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
	return &ClassicSpec{
		AllocationMode: mode, APIVersion: EntryAPIVersion, Kind: KindClassicSpec,
		ParametersRef: old.ParametersRef,
	}
}

func downSpec(new *v1alpha3.ResourceClaimSpec, f chain.Form) *v1alpha2.ResourceClaimSpec {
	old := &v1alpha2.ResourceClaimSpec{ResourceClassName: classOf(new, f.Complete)}
	if entry, _ := findClassicSpec(new.Devices.Config, f.Complete); entry != nil {
		old.AllocationMode, old.ParametersRef = entry.AllocationMode, entry.ParametersRef
	}
	if f.GetsDefaults() {
		v1alpha2.SetSpecDefaults(old)
	}
	return old
}

// classOf is the class that v1alpha2 shows: of several alternatives that of the first, whichever
// was allocated, as a spec never depends on the status. The API of v1alpha2 allows no claim without
// a class.
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

// findClassicSpec finds the entry of ours. One that is not as this package writes it is foreign configuration.
func findClassicSpec(config []v1alpha3.DeviceClaimConfiguration, complete bool) (entry *ClassicSpec, index int) {
	for i, c := range config {
		if len(c.Requests) > 0 || !IsOurs(c.Opaque, KindClassicSpec) {
			continue
		}
		entry := &ClassicSpec{}
		if kjson.ReadStrictly(c.Opaque.Parameters.Raw, entry) &&
			reflect.DeepEqual(entry, classicSpecOf(entry.spec(), complete)) {
			return entry, i
		}
	}
	return nil, -1
}

func (e *ClassicSpec) spec() *v1alpha2.ResourceClaimSpec {
	return &v1alpha2.ResourceClaimSpec{AllocationMode: e.AllocationMode, ParametersRef: e.ParametersRef}
}

// requestName of the one request that a class becomes.
const requestName = "claim"
