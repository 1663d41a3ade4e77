package conversion

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// slabs hold a slab for each type that steps make.
type slabs struct {
	strings                                        slab[string]
	annotation                                     slab[annotation]
	classicAllocation                              slab[classicAllocation]
	classicSpec                                    slab[classicSpec]
	deltaItemV1alpha2ResourceHandle                slab[deltaItem[v1alpha2.ResourceHandle]]
	deltaItemV1alpha3DeviceAllocationConfiguration slab[deltaItem[v1alpha3.DeviceAllocationConfiguration]]
	handlesLeftover                                slab[handlesLeftover]
	part                                           slab[part]
	resourceHandle                                 slab[resourceHandle]
	structuredAllocation                           slab[structuredAllocation]
	structuredSpec                                 slab[structuredSpec]
	v1alpha1AllocationResult                       slab[v1alpha1.AllocationResult]
	v1alpha1ResourceClaimConsumerReference         slab[v1alpha1.ResourceClaimConsumerReference]
	v1alpha1ResourceClaimSpec                      slab[v1alpha1.ResourceClaimSpec]
	v1alpha1ResourceClaimStatus                    slab[v1alpha1.ResourceClaimStatus]
	v1alpha2AllocationResult                       slab[v1alpha2.AllocationResult]
	v1alpha2DriverAllocationResult                 slab[v1alpha2.DriverAllocationResult]
	v1alpha2NamedResourcesAllocationResult         slab[v1alpha2.NamedResourcesAllocationResult]
	v1alpha2ResourceClaimConsumerReference         slab[v1alpha2.ResourceClaimConsumerReference]
	v1alpha2ResourceClaimSpec                      slab[v1alpha2.ResourceClaimSpec]
	v1alpha2ResourceClaimStatus                    slab[v1alpha2.ResourceClaimStatus]
	v1alpha2ResourceHandle                         slab[v1alpha2.ResourceHandle]
	v1alpha2StructuredResourceHandle               slab[v1alpha2.StructuredResourceHandle]
	v1alpha3AllocationResult                       slab[v1alpha3.AllocationResult]
	v1alpha3DeviceAllocationConfiguration          slab[v1alpha3.DeviceAllocationConfiguration]
	v1alpha3DeviceClaimConfiguration               slab[v1alpha3.DeviceClaimConfiguration]
	v1alpha3DeviceRequest                          slab[v1alpha3.DeviceRequest]
	v1alpha3DeviceRequestAllocationResult          slab[v1alpha3.DeviceRequestAllocationResult]
	v1alpha3OpaqueDeviceConfiguration              slab[v1alpha3.OpaqueDeviceConfiguration]
	v1alpha3ResourceClaimConsumerReference         slab[v1alpha3.ResourceClaimConsumerReference]
	v1alpha3ResourceClaimSpec                      slab[v1alpha3.ResourceClaimSpec]
	v1alpha3ResourceClaimStatus                    slab[v1alpha3.ResourceClaimStatus]
}

func (s *slabs) reset() {
	s.strings.reset()
	s.annotation.reset()
	s.classicAllocation.reset()
	s.classicSpec.reset()
	s.deltaItemV1alpha2ResourceHandle.reset()
	s.deltaItemV1alpha3DeviceAllocationConfiguration.reset()
	s.handlesLeftover.reset()
	s.part.reset()
	s.resourceHandle.reset()
	s.structuredAllocation.reset()
	s.structuredSpec.reset()
	s.v1alpha1AllocationResult.reset()
	s.v1alpha1ResourceClaimConsumerReference.reset()
	s.v1alpha1ResourceClaimSpec.reset()
	s.v1alpha1ResourceClaimStatus.reset()
	s.v1alpha2AllocationResult.reset()
	s.v1alpha2DriverAllocationResult.reset()
	s.v1alpha2NamedResourcesAllocationResult.reset()
	s.v1alpha2ResourceClaimConsumerReference.reset()
	s.v1alpha2ResourceClaimSpec.reset()
	s.v1alpha2ResourceClaimStatus.reset()
	s.v1alpha2ResourceHandle.reset()
	s.v1alpha2StructuredResourceHandle.reset()
	s.v1alpha3AllocationResult.reset()
	s.v1alpha3DeviceAllocationConfiguration.reset()
	s.v1alpha3DeviceClaimConfiguration.reset()
	s.v1alpha3DeviceRequest.reset()
	s.v1alpha3DeviceRequestAllocationResult.reset()
	s.v1alpha3OpaqueDeviceConfiguration.reset()
	s.v1alpha3ResourceClaimConsumerReference.reset()
	s.v1alpha3ResourceClaimSpec.reset()
	s.v1alpha3ResourceClaimStatus.reset()
}
