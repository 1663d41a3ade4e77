package claims

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
)

// Current is the ith claim as Kubernetes 1.36 has it, allocated by the scheduler. Beside what Structured has it asks for a
// part of a device, which v1alpha3 cannot, and has the time of its allocation.
func Current(i, growth int) *v1.ResourceClaim {
	attribute := v1.FullyQualifiedName("gpu.example.com/numaNode")
	memory := map[v1.QualifiedName]resource.Quantity{"memory": resource.MustParse("40Gi")}
	meta := metadata(i, "v1")
	claim := &v1.ResourceClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: Group + "/v1", Kind: "ResourceClaim"},
		ObjectMeta: meta,
		Spec: v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
			Requests: []v1.DeviceRequest{
				{Name: "gpu", Exactly: &v1.ExactDeviceRequest{DeviceClassName: gpuDriver, AllocationMode: v1.DeviceAllocationModeExactCount, Count: 1,
					Capacity: &v1.CapacityRequirements{Requests: memory}}},
				{Name: "nic", Exactly: &v1.ExactDeviceRequest{DeviceClassName: nicDriver, AllocationMode: v1.DeviceAllocationModeExactCount, Count: 1}},
			},
			Constraints: []v1.DeviceConstraint{{Requests: []string{"gpu", "nic"}, MatchAttribute: &attribute}},
		}},
	}
	claim.Status.Allocation = &v1.AllocationResult{
		NodeSelector: nodes(i), AllocationTimestamp: &meta.CreationTimestamp,
		Devices: v1.DeviceAllocationResult{
			Results: []v1.DeviceRequestAllocationResult{
				{Request: "gpu", Driver: gpuDriver, Pool: node(i), Device: fmt.Sprintf("gpu-%d", i%8), ShareID: new(uid(i, 2)), ConsumedCapacity: memory},
				{Request: "nic", Driver: nicDriver, Pool: node(i), Device: fmt.Sprintf("nic-%d", i%2)},
			},
			Config: []v1.DeviceAllocationConfiguration{{Source: v1.AllocationConfigSourceClass, DeviceConfiguration: config(i, growth)}},
		},
	}
	claim.Status.ReservedFor = []v1.ResourceClaimConsumerReference{{Resource: "pods", Name: fmt.Sprintf("trainer-%d", i), UID: uid(i, 1)}}
	return claim
}

// current is the first claim, with what only v1beta1 and later can say or without.
func current(leftovers bool, growth int) *v1.ResourceClaim {
	claim := Current(0, growth)
	if leftovers {
		return claim
	}
	devices := &claim.Spec.Devices
	devices.Requests, devices.Constraints = devices.Requests[:1], nil
	devices.Requests[0].Name, devices.Requests[0].Exactly.Capacity = "claim", nil
	allocated := claim.Status.Allocation
	allocated.AllocationTimestamp = nil
	allocated.Devices.Results = allocated.Devices.Results[:1]
	result := &allocated.Devices.Results[0]
	result.Request, result.ShareID, result.ConsumedCapacity = "claim", nil, nil
	return claim
}

// inV1beta1 is the claim in v1beta1, whose requests are flat.
func inV1beta1(claim *v1.ResourceClaim) *v1beta1.ResourceClaim {
	old := &v1beta1.ResourceClaim{
		TypeMeta: metav1.TypeMeta{APIVersion: Group + "/v1beta1", Kind: claim.Kind}, ObjectMeta: claim.ObjectMeta, Status: claim.Status,
	}
	old.Spec.Devices.Constraints = claim.Spec.Devices.Constraints
	for _, r := range claim.Spec.Devices.Requests {
		old.Spec.Devices.Requests = append(old.Spec.Devices.Requests, v1beta1.DeviceRequest{
			Name: r.Name, DeviceClassName: r.Exactly.DeviceClassName, AllocationMode: r.Exactly.AllocationMode, Count: r.Exactly.Count, Capacity: r.Exactly.Capacity,
		})
	}
	return old
}

func inV1beta2(claim *v1.ResourceClaim) *v1beta2.ResourceClaim {
	return &v1beta2.ResourceClaim{
		TypeMeta: metav1.TypeMeta{APIVersion: Group + "/v1beta2", Kind: claim.Kind}, ObjectMeta: claim.ObjectMeta, Spec: claim.Spec, Status: claim.Status,
	}
}

// In gives the ith claim of a version, with something that other versions cannot say.
func In(version string, i, growth int) runtime.Object {
	switch version {
	case "v1alpha2":
		return Classic(i, growth)
	case "v1alpha3":
		return Structured(i, growth)
	case "v1beta1":
		return inV1beta1(Current(i, growth))
	case "v1beta2":
		return inV1beta2(Current(i, growth))
	case "v1":
		return Current(i, growth)
	}
	panic("claims: no claim of " + version)
}
