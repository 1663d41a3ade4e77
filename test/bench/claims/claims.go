package claims

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

const (
	gpuDriver = "gpu.example.com"
	nicDriver = "nic.example.com"
	// handleSize is what a handle holds at most.
	handleSize = v1alpha2.ResourceHandleDataMaxSize
)

// Sized gives the claim that object makes, grown to about as many bytes of JSON.
func Sized(bytes int, object func(growth int) runtime.Object) []byte {
	small := len(Encode(object(0)))
	if small >= bytes {
		return Encode(object(0))
	}
	growth := bytes - small
	grown := len(Encode(object(growth))) - small
	return Encode(object(growth * growth / max(grown, 1)))
}

// Classic is the ith claim as Kubernetes 1.30 had it, allocated by the controllers of two drivers. Its parameters and a
// handle of another driver are left over in other versions.
func Classic(i, growth int) *v1alpha2.ResourceClaim {
	claim := &v1alpha2.ResourceClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: Group + "/v1alpha2", Kind: "ResourceClaim"},
		ObjectMeta: metadata(i, "v1alpha2"),
		Spec: v1alpha2.ResourceClaimSpec{
			ResourceClassName: gpuDriver, AllocationMode: v1alpha2.AllocationModeWaitForFirstConsumer,
			ParametersRef: &v1alpha2.ResourceClaimParametersReference{APIGroup: gpuDriver, Kind: "GpuClaimParameters", Name: fmt.Sprintf("gpu-%d", i)},
		},
		Status: v1alpha2.ResourceClaimStatus{DriverName: gpuDriver},
	}
	handles := []v1alpha2.ResourceHandle{{DriverName: gpuDriver}, {DriverName: nicDriver}}
	each := growth / len(handles)
	for ; each > handleSize-256; each = growth / len(handles) {
		handles = append(handles, v1alpha2.ResourceHandle{DriverName: fmt.Sprintf("part-%d.example.com", len(handles))})
	}
	for k := range handles {
		handles[k].Data = data(i, k, each)
	}
	claim.Status.Allocation = &v1alpha2.AllocationResult{ResourceHandles: handles, AvailableOnNodes: nodes(i), Shareable: true}
	claim.Status.ReservedFor = []v1alpha2.ResourceClaimConsumerReference{{Resource: "pods", Name: fmt.Sprintf("trainer-%d", i), UID: uid(i, 1)}}
	return claim
}

// Structured is the ith claim as Kubernetes 1.31 has it, allocated by the scheduler. Its second request, selector,
// constraint and configuration are left over in older versions.
func Structured(i, growth int) *v1alpha3.ResourceClaim {
	attribute := v1alpha3.FullyQualifiedName("gpu.example.com/numaNode")
	claim := &v1alpha3.ResourceClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: Group + "/v1alpha3", Kind: "ResourceClaim"},
		ObjectMeta: metadata(i, "v1alpha3"),
		Spec: v1alpha3.ResourceClaimSpec{Devices: v1alpha3.DeviceClaim{
			Requests: []v1alpha3.DeviceRequest{
				{Name: "gpu", DeviceClassName: gpuDriver, AllocationMode: v1alpha3.DeviceAllocationModeExactCount, Count: 1,
					Selectors: []v1alpha3.DeviceSelector{{CEL: &v1alpha3.CELDeviceSelector{
						Expression: `device.attributes["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0`}}}},
				{Name: "nic", DeviceClassName: nicDriver, AllocationMode: v1alpha3.DeviceAllocationModeExactCount, Count: 1},
			},
			Constraints: []v1alpha3.DeviceConstraint{{Requests: []string{"gpu", "nic"}, MatchAttribute: &attribute}},
		}},
	}
	claim.Status.Allocation = &v1alpha3.AllocationResult{NodeSelector: nodes(i), Devices: v1alpha3.DeviceAllocationResult{
		Results: []v1alpha3.DeviceRequestAllocationResult{
			{Request: "gpu", Driver: gpuDriver, Pool: node(i), Device: fmt.Sprintf("gpu-%d", i%8)},
			{Request: "nic", Driver: nicDriver, Pool: node(i), Device: fmt.Sprintf("nic-%d", i%2)},
		},
		Config: []v1alpha3.DeviceAllocationConfiguration{{Source: v1alpha3.AllocationConfigSourceClass, DeviceConfiguration: config(i, growth)}},
	}}
	claim.Status.ReservedFor = []v1alpha3.ResourceClaimConsumerReference{{Resource: "pods", Name: fmt.Sprintf("trainer-%d", i), UID: uid(i, 1)}}
	return claim
}

func config(i, growth int) v1alpha3.DeviceConfiguration {
	return v1alpha3.DeviceConfiguration{Opaque: &v1alpha3.OpaqueDeviceConfiguration{
		Driver: gpuDriver,
		Parameters: runtime.RawExtension{Raw: fmt.Appendf(nil,
			`{"apiVersion":"gpu.example.com/v1","kind":"GpuConfig","sharing":{"strategy":"TimeSlicing"},"note":"%s"}`, text(i, 0, growth))},
	}}
}

// data of a handle is what drivers put there: JSON in a string.
func data(i, k, growth int) string {
	return fmt.Sprintf(`{"devices":[{"uuid":"GPU-%s"}],"note":"%s"}`, uid(i, k), text(i, k, growth))
}

// text of a length, in lower-case words.
func text(i, k, length int) string {
	var b strings.Builder
	for n := 0; b.Len() < length; n++ {
		fmt.Fprintf(&b, "%x ", uint32(2654435761)*uint32(i+7*k+31*n+1))
	}
	return b.String()[:max(length, 0)]
}

func node(i int) string { return fmt.Sprintf("worker-%d", i%100) }

func nodes(i int) *corev1.NodeSelector {
	return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node(i)}}},
	}}}
}
