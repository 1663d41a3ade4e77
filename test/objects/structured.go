package objects

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// spec in the shape of v1, of which those of the versions before it are made.
func (s Source) spec() v1.ResourceClaimSpec {
	spec := v1.ResourceClaimSpec{}
	if s.some(3) { // as a class becomes it
		spec.Devices.Requests = []v1.DeviceRequest{{Name: "claim", Exactly: &v1.ExactDeviceRequest{
			DeviceClassName: s.subdomain(), AllocationMode: v1.DeviceAllocationModeExactCount, Count: 1,
		}}}
		return spec
	}
	claim := s.IntN(12) // the request that has the name that a class gets, if there are so many
	for i := range s.count(v1.DeviceRequestsMaxSize) {
		r := s.request(fmt.Sprintf("%.59s-%d", s.label(), i))
		if i == claim {
			r.Name = "claim"
		}
		spec.Devices.Requests = append(spec.Devices.Requests, r)
	}
	names := references(spec)
	if s.some(3) {
		for range s.count(v1.DeviceConstraintsMaxSize - 1) {
			spec.Devices.Constraints = append(spec.Devices.Constraints, s.constraint(names))
		}
	}
	s.derive(&spec.Devices)
	if s.some(2) {
		for range s.count(v1.DeviceConfigMaxSize - 1) { // one is for a controller
			spec.Devices.Config = append(spec.Devices.Config, v1.DeviceClaimConfiguration{
				Requests: s.someOf(names), DeviceConfiguration: s.opaque(),
			})
		}
	}
	return spec
}

// derive adds attributes that an expression computes, with the constraint that each needs.
func (s Source) derive(d *v1.DeviceClaim) {
	if !s.since(37) || len(d.Requests) == 0 || !s.some(8) {
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
	if s.some(2) {
		c = v1.DeviceConstraint{DistinctAttribute: &derived.Name, Requests: []string{pick(s, names...)}}
	}
	d.Constraints = append(d.Constraints, c)
}

func (s Source) constraint(names []string) v1.DeviceConstraint {
	c := v1.DeviceConstraint{
		Requests:       s.someOf(names),
		MatchAttribute: new(v1.FullyQualifiedName("gpu.example.com/numa")),
	}
	if s.since(34) && s.some(3) {
		c.DistinctAttribute = new(v1.FullyQualifiedName("gpu.example.com/" + pick(s, "slot", "numa")))
		if !s.some(4) { // together with the other one, it is not validated
			c.MatchAttribute = nil
		}
	}
	return c
}

// references that constraints and configuration may have: requests, and their alternatives.
func references(spec v1.ResourceClaimSpec) (names []string) {
	for _, r := range spec.Devices.Requests {
		names = append(names, r.Name)
		for _, alternative := range r.FirstAvailable {
			names = append(names, r.Name+"/"+alternative.Name)
		}
	}
	return names
}

// someOf the names, as many as a list of references may have.
func (s Source) someOf(names []string) (some []string) {
	for _, n := range names {
		if s.some(3) && len(some) < v1.DeviceRequestsMaxSize {
			some = append(some, n)
		}
	}
	return some
}

func (s Source) opaque() v1.DeviceConfiguration {
	return v1.DeviceConfiguration{Opaque: &v1.OpaqueDeviceConfiguration{
		Driver: s.driver(), Parameters: runtime.RawExtension{Raw: s.parameters()},
	}}
}
