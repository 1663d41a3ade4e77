package main

import (
	"context"
	"encoding/json"
	"fmt"

	"kubernetes-1.30.example/api/resource/v1alpha2"
	"kubernetes-1.31.example/api/resource/v1alpha3"
)

// opaqueHandle is the data of a resource handle of v1alpha2 in the opaque parameters of a device of v1alpha3.
type opaqueHandle struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Device     string `json:"device"`
	Data       string `json:"data"`
}

func claimFromV1alpha2(_ context.Context, src *v1alpha2.ResourceClaim, dst *v1alpha3.ResourceClaim) error {
	dst.ObjectMeta = src.ObjectMeta
	dst.Spec.Devices.Requests = []v1alpha3.DeviceRequest{{
		Name:            "claim",
		DeviceClassName: src.Spec.ResourceClassName,
		AllocationMode:  v1alpha3.DeviceAllocationModeExactCount,
		Count:           1,
	}}
	dst.Status.DeallocationRequested = src.Status.DeallocationRequested
	for _, c := range src.Status.ReservedFor {
		dst.Status.ReservedFor = append(dst.Status.ReservedFor, v1alpha3.ResourceClaimConsumerReference(c))
	}
	allocation := src.Status.Allocation
	if allocation == nil {
		return nil
	}
	converted := &v1alpha3.AllocationResult{
		NodeSelector: allocation.AvailableOnNodes,
		Controller:   src.Status.DriverName,
	}
	for i, h := range allocation.ResourceHandles {
		device := fmt.Sprintf("handle-%d", i)
		parameters, err := json.Marshal(opaqueHandle{
			APIVersion: "example.com/v1", Kind: "ResourceHandle", Device: device, Data: h.Data,
		})
		if err != nil {
			return err
		}
		config := v1alpha3.DeviceAllocationConfiguration{Source: v1alpha3.AllocationConfigSourceClass}
		config.Opaque = &v1alpha3.OpaqueDeviceConfiguration{Driver: h.DriverName}
		config.Opaque.Parameters.Raw = parameters
		converted.Devices.Config = append(converted.Devices.Config, config)
		converted.Devices.Results = append(converted.Devices.Results, v1alpha3.DeviceRequestAllocationResult{
			Request: "claim", Driver: h.DriverName, Pool: "handles", Device: device,
		})
	}
	dst.Status.Allocation = converted
	return nil
}

func claimToV1alpha2(_ context.Context, src *v1alpha3.ResourceClaim, dst *v1alpha2.ResourceClaim) error {
	dst.ObjectMeta = src.ObjectMeta
	if len(src.Spec.Devices.Requests) > 0 {
		dst.Spec.ResourceClassName = src.Spec.Devices.Requests[0].DeviceClassName
	}
	dst.Spec.AllocationMode = v1alpha2.AllocationModeWaitForFirstConsumer
	dst.Status.DeallocationRequested = src.Status.DeallocationRequested
	for _, c := range src.Status.ReservedFor {
		dst.Status.ReservedFor = append(dst.Status.ReservedFor, v1alpha2.ResourceClaimConsumerReference(c))
	}
	allocation := src.Status.Allocation
	if allocation == nil {
		return nil
	}
	converted := &v1alpha2.AllocationResult{AvailableOnNodes: allocation.NodeSelector, Shareable: true}
	dst.Status.DriverName = allocation.Controller
	for _, c := range allocation.Devices.Config {
		if c.Opaque == nil {
			continue
		}
		var h opaqueHandle
		if err := json.Unmarshal(c.Opaque.Parameters.Raw, &h); err == nil && h.Kind == "ResourceHandle" {
			converted.ResourceHandles = append(converted.ResourceHandles,
				v1alpha2.ResourceHandle{DriverName: c.Opaque.Driver, Data: h.Data})
		}
	}
	if len(converted.ResourceHandles) == 0 {
		for _, r := range allocation.Devices.Results {
			structured := &v1alpha2.StructuredResourceHandle{
				NodeName: r.Pool,
				Results:  []v1alpha2.DriverAllocationResult{{}},
			}
			structured.Results[0].NamedResources = &v1alpha2.NamedResourcesAllocationResult{Name: r.Device}
			converted.ResourceHandles = append(converted.ResourceHandles,
				v1alpha2.ResourceHandle{DriverName: r.Driver, StructuredData: structured})
		}
	}
	if dst.Status.DriverName == "" && len(converted.ResourceHandles) > 0 {
		dst.Status.DriverName = converted.ResourceHandles[0].DriverName
	}
	dst.Status.Allocation = converted
	return nil
}
