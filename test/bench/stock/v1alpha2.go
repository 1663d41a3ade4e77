package main

import (
	"context"
	"encoding/json"
	"fmt"

	"kubernetes-1.30.example/api/resource/v1alpha2"
	"kubernetes-1.31.example/api/resource/v1alpha3"
)

// handle is how a classic handle's data is written as parameters of a device.
type handle struct {
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
	old := src.Status.Allocation
	if old == nil {
		return nil
	}
	new := &v1alpha3.AllocationResult{NodeSelector: old.AvailableOnNodes, Controller: src.Status.DriverName}
	for i, h := range old.ResourceHandles {
		device := fmt.Sprintf("handle-%d", i)
		parameters, err := json.Marshal(handle{
			APIVersion: "example.com/v1", Kind: "ResourceHandle", Device: device, Data: h.Data,
		})
		if err != nil {
			return err
		}
		config := v1alpha3.DeviceAllocationConfiguration{Source: v1alpha3.AllocationConfigSourceClass}
		config.Opaque = &v1alpha3.OpaqueDeviceConfiguration{Driver: h.DriverName}
		config.Opaque.Parameters.Raw = parameters
		new.Devices.Config = append(new.Devices.Config, config)
		new.Devices.Results = append(new.Devices.Results, v1alpha3.DeviceRequestAllocationResult{
			Request: "claim", Driver: h.DriverName, Pool: "handles", Device: device,
		})
	}
	dst.Status.Allocation = new
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
	new := src.Status.Allocation
	if new == nil {
		return nil
	}
	old := &v1alpha2.AllocationResult{AvailableOnNodes: new.NodeSelector, Shareable: true}
	dst.Status.DriverName = new.Controller
	for _, c := range new.Devices.Config {
		if c.Opaque == nil {
			continue
		}
		var h handle
		if err := json.Unmarshal(c.Opaque.Parameters.Raw, &h); err == nil && h.Kind == "ResourceHandle" {
			old.ResourceHandles = append(old.ResourceHandles,
				v1alpha2.ResourceHandle{DriverName: c.Opaque.Driver, Data: h.Data})
		}
	}
	if len(old.ResourceHandles) == 0 {
		for _, r := range new.Devices.Results {
			structured := &v1alpha2.StructuredResourceHandle{
				NodeName: r.Pool,
				Results:  []v1alpha2.DriverAllocationResult{{}},
			}
			structured.Results[0].NamedResources = &v1alpha2.NamedResourcesAllocationResult{Name: r.Device}
			old.ResourceHandles = append(old.ResourceHandles,
				v1alpha2.ResourceHandle{DriverName: r.Driver, StructuredData: structured})
		}
	}
	if dst.Status.DriverName == "" && len(old.ResourceHandles) > 0 {
		dst.Status.DriverName = old.ResourceHandles[0].DriverName
	}
	dst.Status.Allocation = old
	return nil
}
