package objects

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

func (s Source) classicSpec() v1alpha2.ResourceClaimSpec {
	spec := v1alpha2.ResourceClaimSpec{
		ResourceClassName: s.subdomain(),
		AllocationMode:    pick(s, v1alpha2.AllocationModeWaitForFirstConsumer, v1alpha2.AllocationModeImmediate, ""),
	}
	if s.oneIn(2) {
		spec.ParametersRef = &v1alpha2.ResourceClaimParametersReference{
			APIGroup: pick(s, "", "gpu.example.com"), Kind: "GpuClaimParameters", Name: s.label(),
		}
	}
	return spec
}

func (s Source) consumers(limit int) (refs []v1alpha2.ResourceClaimConsumerReference) {
	for range s.count(limit) {
		refs = append(refs, v1alpha2.ResourceClaimConsumerReference{
			APIGroup: pick(s, "", "apps"), Resource: "pods", Name: s.label(), UID: s.uid(),
		})
	}
	return refs
}

func (s Source) nodeSelector() *corev1.NodeSelector {
	if s.oneIn(2) {
		return nil
	}
	n := &corev1.NodeSelector{}
	for range 1 + s.IntN(3) {
		term := corev1.NodeSelectorTerm{}
		if s.oneIn(2) {
			term.MatchExpressions = []corev1.NodeSelectorRequirement{
				{
					Key: "kubernetes.io/hostname", Operator: corev1.NodeSelectorOpIn,
					Values: []string{"node-1", s.label()},
				},
				{Key: "gpu", Operator: corev1.NodeSelectorOpExists},
			}
		}
		if s.oneIn(2) {
			term.MatchFields = []corev1.NodeSelectorRequirement{
				{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"node-2"}},
			}
		}
		n.NodeSelectorTerms = append(n.NodeSelectorTerms, term)
	}
	return n
}

// reservations returns the consumers of a claim, and whether its deallocation is requested. A claim with consumers is
// not deallocated.
func (s Source) reservations(shareable bool) (consumers []v1alpha2.ResourceClaimConsumerReference, deallocate bool) {
	limit := 1
	if shareable {
		limit = v1alpha2.ResourceClaimReservedForMaxSize
	}
	consumers = s.consumers(limit)
	return consumers, len(consumers) == 0 && s.oneIn(3)
}

// V1alpha1Status returns a random status of Kubernetes 1.26.
func (s Source) V1alpha1Status() v1alpha1.ResourceClaimStatus {
	status := v1alpha1.ResourceClaimStatus{}
	if s.oneIn(5) {
		return status
	}
	status.DriverName = s.driver()
	status.Allocation = &v1alpha1.AllocationResult{AvailableOnNodes: s.nodeSelector(), Shareable: s.oneIn(2)}
	if !s.oneIn(4) {
		status.Allocation.ResourceHandle = s.text(v1alpha1.ResourceHandleMaxSize)
	}
	status.ReservedFor, status.DeallocationRequested = s.reservations(status.Allocation.Shareable)
	return status
}

// V1alpha2Status returns a random status of Kubernetes 1.30.
func (s Source) V1alpha2Status() v1alpha2.ResourceClaimStatus {
	status := v1alpha2.ResourceClaimStatus{}
	if s.oneIn(6) {
		return status
	}
	status.DriverName = s.driver()
	status.Allocation = &v1alpha2.AllocationResult{AvailableOnNodes: s.nodeSelector(), Shareable: s.oneIn(2)}
	for range s.count(v1alpha2.AllocationResultResourceHandlesMaxSize) {
		status.Allocation.ResourceHandles = append(status.Allocation.ResourceHandles, s.handle())
	}
	status.ReservedFor, status.DeallocationRequested = s.reservations(status.Allocation.Shareable)
	return status
}

func (s Source) handle() v1alpha2.ResourceHandle {
	h := v1alpha2.ResourceHandle{DriverName: s.driver()}
	switch s.IntN(5) {
	case 0:
	case 1, 2:
		h.Data = s.text(v1alpha2.ResourceHandleDataMaxSize)
	default:
		d := &v1alpha2.StructuredResourceHandle{
			VendorClassParameters: runtime.RawExtension{Raw: s.vendorParameters()},
			VendorClaimParameters: runtime.RawExtension{Raw: s.vendorParameters()},
		}
		if s.oneIn(2) {
			d.NodeName = s.subdomain()
		}
		for range s.count(40) {
			r := v1alpha2.DriverAllocationResult{
				VendorRequestParameters: runtime.RawExtension{Raw: s.vendorParameters()},
			}
			r.NamedResources = &v1alpha2.NamedResourcesAllocationResult{
				Name: pick(s, s.label(), s.label(), s.subdomain()),
			}
			d.Results = append(d.Results, r)
		}
		h.StructuredData = d
	}
	return h
}
