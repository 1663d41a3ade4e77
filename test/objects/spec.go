package objects

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// spec returns a random spec of v1. The specs of v1beta2, v1beta1 and v1alpha3 are converted from it.
func (s Source) spec() v1.ResourceClaimSpec {
	spec := v1.ResourceClaimSpec{}
	if s.oneIn(3) { // as conversion from a resource class writes it
		spec.Devices.Requests = []v1.DeviceRequest{{Name: "claim", Exactly: &v1.ExactDeviceRequest{
			DeviceClassName: s.subdomain(), AllocationMode: v1.DeviceAllocationModeExactCount, Count: 1,
		}}}
		return spec
	}
	claim := s.IntN(12) // the index of a request that has the name of a converted resource class
	for i := range s.count(v1.DeviceRequestsMaxSize) {
		r := s.request(fmt.Sprintf("%.59s-%d", s.label(), i))
		if i == claim {
			r.Name = "claim"
		}
		spec.Devices.Requests = append(spec.Devices.Requests, r)
	}
	requests := requestReferences(spec)
	if s.oneIn(3) {
		for range s.count(v1.DeviceConstraintsMaxSize - 1) {
			spec.Devices.Constraints = append(spec.Devices.Constraints, s.constraint(requests))
		}
	}
	s.addDerivedAttribute(&spec.Devices)
	if s.oneIn(2) {
		for range s.count(v1.DeviceConfigMaxSize - 1) { // conversion may add one for a controller
			spec.Devices.Config = append(spec.Devices.Config, v1.DeviceClaimConfiguration{
				Requests: s.subset(requests), DeviceConfiguration: s.opaqueConfiguration(),
			})
		}
	}
	return spec
}

// addDerivedAttribute sometimes adds a derived attribute to a request, with the constraint that it requires.
func (s Source) addDerivedAttribute(d *v1.DeviceClaim) {
	if !s.since(37) || len(d.Requests) == 0 || !s.oneIn(8) {
		return
	}
	derived := v1.DeviceDerivedAttribute{
		Name:       "gpu.example.com/derived",
		Expression: pick(s, `device.driver`, `true`, `device.driver == "gpu.example.com" ? 1 : 2`),
	}
	request := pick(s, d.Requests...)
	names := []string{request.Name}
	if request.Exactly != nil {
		request.Exactly.DerivedAttributes = append(request.Exactly.DerivedAttributes, derived)
	} else {
		alternative := &request.FirstAvailable[0]
		alternative.DerivedAttributes = append(alternative.DerivedAttributes, derived)
		names = append(names, request.Name+"/"+alternative.Name)
	}
	c := v1.DeviceConstraint{MatchAttribute: &derived.Name}
	if s.oneIn(2) {
		c = v1.DeviceConstraint{DistinctAttribute: &derived.Name, Requests: []string{pick(s, names...)}}
	}
	d.Constraints = append(d.Constraints, c)
}

func (s Source) constraint(names []string) v1.DeviceConstraint {
	c := v1.DeviceConstraint{
		Requests:       s.subset(names),
		MatchAttribute: new(v1.FullyQualifiedName("gpu.example.com/numa")),
	}
	if s.since(34) && s.oneIn(3) {
		c.DistinctAttribute = new(v1.FullyQualifiedName("gpu.example.com/" + pick(s, "slot", "numa")))
		if !s.oneIn(4) { // releases do not validate it if MatchAttribute is set too
			c.MatchAttribute = nil
		}
	}
	return c
}

// requestReferences returns the request names that constraints and configurations may have: the names of requests and
// of their alternatives.
func requestReferences(spec v1.ResourceClaimSpec) (names []string) {
	for _, r := range spec.Devices.Requests {
		names = append(names, r.Name)
		for _, alternative := range r.FirstAvailable {
			names = append(names, r.Name+"/"+alternative.Name)
		}
	}
	return names
}

// subset returns some of the names, at most as many as a list of request references may have.
func (s Source) subset(names []string) (subset []string) {
	for _, name := range names {
		if s.oneIn(3) && len(subset) < v1.DeviceRequestsMaxSize {
			subset = append(subset, name)
		}
	}
	return subset
}

func (s Source) opaqueConfiguration() v1.DeviceConfiguration {
	return v1.DeviceConfiguration{Opaque: &v1.OpaqueDeviceConfiguration{
		Driver: s.driver(), Parameters: runtime.RawExtension{Raw: s.parameters()},
	}}
}
