package objects

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// request returns a request for devices of a class, or with several alternatives.
func (s Source) request(name string) v1.DeviceRequest {
	r := v1.DeviceRequest{Name: name}
	if s.since(33) && s.oneIn(4) {
		for i := range 1 + s.count(v1.FirstAvailableDeviceRequestMaxSize-1) {
			alternative := v1.DeviceSubRequest{
				Name: fmt.Sprintf("%.59s-%d", s.label(), i), DeviceClassName: s.subdomain(),
				Selectors: s.selectors(), Tolerations: s.tolerations(), Capacity: s.capacity(),
			}
			alternative.AllocationMode, alternative.Count = s.allocationMode()
			r.FirstAvailable = append(r.FirstAvailable, alternative)
		}
		return r
	}
	r.Exactly = &v1.ExactDeviceRequest{
		DeviceClassName: s.subdomain(), Selectors: s.selectors(), AdminAccess: s.adminAccess(),
		Tolerations: s.tolerations(), Capacity: s.capacity(),
	}
	r.Exactly.AllocationMode, r.Exactly.Count = s.allocationMode()
	return r
}

func (s Source) allocationMode() (v1.DeviceAllocationMode, int64) {
	if s.oneIn(3) {
		return v1.DeviceAllocationModeAll, 0
	}
	return v1.DeviceAllocationModeExactCount, 1 + s.Int64N(3)
}

func (s Source) selectors() (selectors []v1.DeviceSelector) {
	for range s.count(v1.DeviceSelectorsMaxSize) {
		selectors = append(selectors, v1.DeviceSelector{
			CEL: &v1.CELDeviceSelector{Expression: `device.driver == "gpu.example.com"`},
		})
	}
	return selectors
}

func (s Source) adminAccess() *bool {
	if !s.oneIn(8) {
		return nil
	}
	if s.oldest == s.newest && s.newest == 31 { // in 1.31 the field is a bool with omitempty
		return new(true)
	}
	return new(s.oneIn(2))
}

func (s Source) tolerations() (tolerations []v1.DeviceToleration) {
	if !s.since(33) || !s.oneIn(3) {
		return nil
	}
	for range s.count(v1.DeviceTolerationsMaxSize) {
		t := v1.DeviceToleration{
			Key:      pick(s, "gpu.example.com/unhealthy", "slow"),
			Operator: v1.DeviceTolerationOpEqual,
			Value:    pick(s, "", "a.B_c", s.label()),
		}
		if s.oneIn(2) {
			t = v1.DeviceToleration{
				Key:      pick(s, "", "gpu.example.com/unhealthy"),
				Operator: v1.DeviceTolerationOpExists,
			}
		}
		t.Effect = pick(s, "", v1.DeviceTaintEffectNoSchedule, v1.DeviceTaintEffectNoExecute)
		if s.oldest >= 35 && s.oneIn(6) {
			t.Effect = v1.DeviceTaintEffectNone
		}
		if s.oneIn(3) {
			t.TolerationSeconds = new(pick(s, 0, -1, s.Int64N(1<<50)))
		}
		tolerations = append(tolerations, t)
	}
	return tolerations
}

func (s Source) capacity() *v1.CapacityRequirements {
	if !s.since(34) || !s.oneIn(5) {
		return nil
	}
	return &v1.CapacityRequirements{Requests: s.quantities()}
}

// quantities returns capacities by name.
func (s Source) quantities() (quantities map[v1.QualifiedName]resource.Quantity) {
	for range s.count(20) {
		if quantities == nil {
			quantities = map[v1.QualifiedName]resource.Quantity{}
		}
		name := v1.QualifiedName(pick(s, "memory", "gpu.example.com/cores", "q_"+s.chars(3)))
		quantities[name] = resource.MustParse(pick(s, "1", "0", "-1", "10Gi", "1500m", "128k",
			fmt.Sprintf("%d", s.Int64N(1<<50)), "12e6"))
	}
	return quantities
}
