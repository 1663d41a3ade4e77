package conversion

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// The native reading of a structured allocation:
//
//	v1alpha3                                    v1alpha2
//	allocation.nodeSelector                     allocation.availableOnNodes
//	allocation.controller, else the driver of   driverName
//	  the first result, else claimbridge.dev
//	nothing: claims can be shared               allocation.shareable: true
//	the one result: driverName, pool            no handles
//	  claimbridge.dev, device none
//	pool claimbridge.dev, device handle-<n>     a handle
//	  a config entry of kind ResourceHandle       its data
//	other results of one driver and pool        a handle with structuredData: nodeName is the pool, the results are
//	                                              the devices
//	  the one config entry FromClass              vendorClassParameters of the driver's first such handle
//	  the one config entry FromClaim              vendorClaimParameters of the driver's first such handle
//	  the one FromClaim for the one request       vendorRequestParameters of the driver's first result for it
//
// Parameters that several pools or results share are given once: a claim of 32 pools would otherwise be 32 times as big
// in this version as it is stored. Going up, parameters are of the driver and not of the handle they stand in.

// nativeAllocationDown reads an allocation without the entry of ours. The status has a driver and an allocation and
// nothing else.
func nativeAllocationDown(r *room, new *v1alpha3.AllocationResult, complete bool) *v1alpha2.ResourceClaimStatus {
	old := r.v1alpha2ResourceClaimStatus.put(v1alpha2.ResourceClaimStatus{
		DriverName: new.Controller,
		Allocation: r.v1alpha2AllocationResult.put(v1alpha2.AllocationResult{AvailableOnNodes: new.NodeSelector, Shareable: complete}),
	})
	results := new.Devices.Results
	if old.DriverName == "" && len(results) > 0 {
		old.DriverName = results[0].Driver
	}
	if old.DriverName == "" && complete {
		old.DriverName = domain
	}
	if len(results) == 1 && results[0].Pool == placeholderPool && results[0].Device == deviceNone &&
		results[0].Driver == old.DriverName {
		return old
	}
	config, group := &r.config, &r.groups
	config.read(r, new.Devices.Config)
	group.reset()
	handles := r.v1alpha2ResourceHandle.list(len(results))[:0]
	for _, result := range results {
		driver := result.Driver
		if result.Pool == placeholderPool && isHandleDevice(result.Device) {
			handle := v1alpha2.ResourceHandle{DriverName: driver}
			if data := config.data.get([2]string{driver, result.Device}); data != nil {
				handle.Data, *data = *data, "" // for the first of results that are the same
			}
			handles = append(handles, handle)
			continue
		}
		key := [2]string{driver, result.Pool}
		place := group.get(key)
		if place == nil {
			group.put(key, len(handles))
			place = group.get(key)
			handles = append(handles, v1alpha2.ResourceHandle{
				DriverName: driver,
				StructuredData: r.v1alpha2StructuredResourceHandle.put(v1alpha2.StructuredResourceHandle{
					VendorClassParameters: config.give(v1alpha3.AllocationConfigSourceClass, driver, ""),
					VendorClaimParameters: config.give(v1alpha3.AllocationConfigSourceClaim, driver, ""),
					NodeName:              nodeOf(result.Pool),
				}),
			})
		}
		structured := handles[*place].StructuredData
		device := v1alpha2.DriverAllocationResult{
			VendorRequestParameters: config.give(v1alpha3.AllocationConfigSourceClaim, driver, result.Request),
		}
		device.NamedResources = r.v1alpha2NamedResourcesAllocationResult.put(v1alpha2.NamedResourcesAllocationResult{Name: result.Device})
		if structured.Results == nil && len(results) <= v1alpha3.AllocationResultsMaxSize { // room for all that may come
			structured.Results = r.v1alpha2DriverAllocationResult.list(len(results))[:0]
		}
		structured.Results = append(structured.Results, device)
	}
	old.Allocation.ResourceHandles = handles
	return old
}

// nodeOf is the node that a pool is named after; a pool of several segments is none.
func nodeOf(pool string) string {
	if pool == placeholderPool || strings.Contains(pool, "/") {
		return ""
	}
	return pool
}

// allocationConfig is the configuration of an allocation, by what it is for.
type allocationConfig struct {
	data few[[2]string, string] // driver and device to the data of a handle
	rest few[configKey, configValue]
}

// configKey is what a vendor's field is for: all requests, or one.
type configKey struct {
	source          v1alpha3.AllocationConfigSource
	driver, request string
}

type configValue struct {
	parameters runtime.RawExtension
	times      int
	given      bool
}

// read the configuration of an allocation; what was read before is gone.
func (c *allocationConfig) read(r *room, config []v1alpha3.DeviceAllocationConfiguration) {
	c.data.reset()
	c.rest.reset()
	for _, entry := range config {
		if h, ok := asResourceHandle(r, entry); ok {
			if key := [2]string{h.Driver, h.Device}; c.data.get(key) == nil {
				c.data.put(key, h.Data)
				continue
			}
		}
		if entry.Opaque == nil || len(entry.Requests) > 1 || !isVendors(entry.Opaque) {
			continue
		}
		key := configKey{source: entry.Source, driver: entry.Opaque.Driver}
		if len(entry.Requests) == 1 {
			key.request = entry.Requests[0]
		}
		if value := c.rest.get(key); value != nil {
			value.times++
			continue
		}
		c.rest.put(key, configValue{parameters: entry.Opaque.Parameters, times: 1})
	}
}

// give the parameters of the only entry of a source for a driver and a request, "" being all requests, to whoever asks
// first. Several entries, or one for several requests, are more than a vendor's field can say.
func (c *allocationConfig) give(source v1alpha3.AllocationConfigSource, driver, request string) runtime.RawExtension {
	found := c.rest.get(configKey{source, driver, request})
	if found == nil || found.times > 1 || found.given {
		return runtime.RawExtension{}
	}
	found.given = true
	return found.parameters
}

// isVendors tells whether an entry can be a vendor's field in v1alpha2: one that looks like an entry of ours could, on its
// way back, pass for the data of a handle.
func isVendors(o *v1alpha3.OpaqueDeviceConfiguration) bool {
	return o.Driver != "" && o.Driver != domain && isObject(o.Parameters.Raw) && entryKind(o) == ""
}
