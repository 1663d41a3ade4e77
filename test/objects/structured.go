package objects

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

func (s Source) structuredSpec() v1alpha3.ResourceClaimSpec {
	spec := v1alpha3.ResourceClaimSpec{}
	if s.some(3) { // as a class becomes it
		spec.Devices.Requests = []v1alpha3.DeviceRequest{{
			Name: "claim", DeviceClassName: s.subdomain(), AllocationMode: v1alpha3.DeviceAllocationModeExactCount, Count: 1,
		}}
		return spec
	}
	names := []string{}
	for i := range s.count(v1alpha3.DeviceRequestsMaxSize) {
		r := v1alpha3.DeviceRequest{
			Name: fmt.Sprintf("%.59s-%d", s.label(), i), DeviceClassName: s.subdomain(), AdminAccess: s.some(8),
			AllocationMode: v1alpha3.DeviceAllocationModeExactCount, Count: 1 + s.Int64N(3),
		}
		if s.some(3) {
			r.AllocationMode, r.Count = v1alpha3.DeviceAllocationModeAll, 0
		}
		for range s.count(v1alpha3.DeviceSelectorsMaxSize) {
			r.Selectors = append(r.Selectors, v1alpha3.DeviceSelector{CEL: &v1alpha3.CELDeviceSelector{
				Expression: `device.driver == "gpu.example.com"`,
			}})
		}
		if !slices.Contains(names, "claim") && s.some(6) { // the name that a class gets
			r.Name = "claim"
		}
		spec.Devices.Requests = append(spec.Devices.Requests, r)
		names = append(names, r.Name)
	}
	if s.some(3) {
		for range s.count(v1alpha3.DeviceConstraintsMaxSize) {
			spec.Devices.Constraints = append(spec.Devices.Constraints, v1alpha3.DeviceConstraint{
				Requests: s.someOf(names), MatchAttribute: new(v1alpha3.FullyQualifiedName("gpu.example.com/numa")),
			})
		}
	}
	if s.some(2) {
		for range s.count(v1alpha3.DeviceConfigMaxSize) {
			spec.Devices.Config = append(spec.Devices.Config, v1alpha3.DeviceClaimConfiguration{
				Requests: s.someOf(names), DeviceConfiguration: s.opaque(),
			})
		}
	}
	if s.some(3) {
		spec.Controller = s.driver()
	}
	return spec
}

func (s Source) someOf(names []string) (some []string) {
	for _, n := range names {
		if s.some(3) {
			some = append(some, n)
		}
	}
	return some
}

func (s Source) opaque() v1alpha3.DeviceConfiguration {
	return v1alpha3.DeviceConfiguration{Opaque: &v1alpha3.OpaqueDeviceConfiguration{
		Driver: s.driver(), Parameters: runtime.RawExtension{Raw: s.parameters()},
	}}
}

// V1alpha3Status is a random status of Kubernetes 1.31 for a spec.
func (s Source) V1alpha3Status(spec v1alpha3.ResourceClaimSpec) v1alpha3.ResourceClaimStatus {
	status := v1alpha3.ResourceClaimStatus{}
	if s.some(6) {
		return status
	}
	a := &v1alpha3.AllocationResult{NodeSelector: s.nodes()}
	if s.some(3) {
		a.Controller = s.driver()
	}
	var names []string
	for _, r := range spec.Devices.Requests {
		names = append(names, r.Name)
	}
	if len(names) > 0 {
		for range s.count(v1alpha3.AllocationResultsMaxSize) {
			a.Devices.Results = append(a.Devices.Results, v1alpha3.DeviceRequestAllocationResult{
				Request: pick(s, names...), Driver: s.driver(), Pool: s.pool(), Device: s.label(),
			})
		}
	}
	for range s.configCount() {
		a.Devices.Config = append(a.Devices.Config, v1alpha3.DeviceAllocationConfiguration{
			Source:   pick(s, v1alpha3.AllocationConfigSourceClass, v1alpha3.AllocationConfigSourceClaim),
			Requests: s.someOf(names), DeviceConfiguration: s.opaque(),
		})
	}
	status.Allocation = a
	for _, c := range s.consumers(v1alpha3.ResourceClaimReservedForMaxSize) {
		status.ReservedFor = append(status.ReservedFor, v1alpha3.ResourceClaimConsumerReference(c))
	}
	status.DeallocationRequested = len(status.ReservedFor) == 0 && s.some(3)
	return status
}

func (s Source) configCount() int {
	if s.some(100) {
		return v1alpha3.AllocationConfigMaxSize - s.IntN(3)
	}
	return s.count(5)
}
