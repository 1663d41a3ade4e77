package objects

import (
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Slice returns a random ResourceSlice of v1, as Kubernetes stores it. It has fields of all releases, in combinations
// that no release accepts.
func (s Source) Slice() *resourcev1.ResourceSlice {
	slice := &resourcev1.ResourceSlice{
		TypeMeta: metav1.TypeMeta{APIVersion: Group + "/v1", Kind: "ResourceSlice"}, ObjectMeta: s.objectMeta(),
		Spec: resourcev1.ResourceSliceSpec{Driver: s.driver(), Pool: resourcev1.ResourcePool{
			Name: s.pool(), Generation: s.Int64N(3), ResourceSliceCount: 1 + s.Int64N(3),
		}},
	}
	slice.Namespace = ""
	switch s.IntN(4) {
	case 0:
		slice.Spec.NodeName = new(s.subdomain())
	case 1:
		slice.Spec.AllNodes = new(true)
	case 2:
		slice.Spec.NodeSelector = s.nodeSelector()
	case 3:
		slice.Spec.PerDeviceNodeSelection = new(true)
	}
	for i := range s.count(resourcev1.ResourceSliceMaxDevices) {
		slice.Spec.Devices = append(slice.Spec.Devices, s.device(fmt.Sprintf("%.59s-%d", s.label(), i)))
	}
	for i := range s.IntN(3) {
		slice.Spec.SharedCounters = append(slice.Spec.SharedCounters, resourcev1.CounterSet{
			Name: fmt.Sprintf("set-%d", i), Counters: s.counters(),
		})
	}
	return slice
}

func (s Source) device(name string) resourcev1.Device {
	d := resourcev1.Device{Name: name}
	if s.oneIn(2) {
		d.Attributes = map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{
			"model":               {StringValue: new(s.text(20))},
			"example.com/numa":    {IntValue: new(s.Int64N(1 << 60))},
			"example.com/healthy": {BoolValue: new(s.oneIn(2))},
			"driver":              {VersionValue: new("1.2.3")},
		}
	}
	if s.oneIn(2) {
		d.Capacity = map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{"memory": {Value: s.quantity()}}
		if s.oneIn(2) {
			d.Capacity["cores"] = resourcev1.DeviceCapacity{
				Value: s.quantity(),
				RequestPolicy: &resourcev1.CapacityRequestPolicy{
					Default: new(s.quantity()), ValidRange: &resourcev1.CapacityRequestPolicyRange{Min: new(s.quantity())},
				},
			}
		}
	}
	if s.oneIn(4) {
		d.ConsumesCounters = []resourcev1.DeviceCounterConsumption{{CounterSet: "set-0", Counters: s.counters()}}
	}
	switch s.IntN(8) {
	case 0:
		d.NodeName = new(s.subdomain())
	case 1:
		d.AllNodes = new(s.oneIn(2))
	case 2:
		d.NodeSelector = s.nodeSelector()
	}
	for i := range s.IntN(3) {
		d.Taints = append(d.Taints, resourcev1.DeviceTaint{
			Key: fmt.Sprintf("example.com/t%d", i), Value: s.label(),
			Effect: pick(s, resourcev1.DeviceTaintEffectNoSchedule, resourcev1.DeviceTaintEffectNoExecute,
				resourcev1.DeviceTaintEffectNone),
			TimeAdded: new(s.timestamp()),
		})
	}
	if s.oneIn(4) {
		d.BindsToNode = new(s.oneIn(2))
		d.BindingConditions = []string{"example.com/ready"}
		d.BindingFailureConditions = []string{"example.com/failed"}
	}
	if s.oneIn(4) {
		d.AllowMultipleAllocations = new(s.oneIn(2))
	}
	return d
}

func (s Source) counters() map[string]resourcev1.Counter {
	return map[string]resourcev1.Counter{"memory": {Value: s.quantity()}, "engines": {Value: s.quantity()}}
}

// quantity returns a quantity in canonical form, as an API server stores it.
func (s Source) quantity() resource.Quantity {
	q := resource.MustParse(pick(s, "0", "1", "40Gi", "500m", "1536Mi", "3e9", "7"))
	return resource.MustParse(q.String())
}
