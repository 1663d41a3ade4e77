package v1alpha3

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
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

// nativeAllocationDown reads an allocation without the entry of claimbridge, with the handles that its
// configuration is known to hold. The status has a driver and an allocation and nothing else.
func nativeAllocationDown(new *v1alpha3.AllocationResult, held []ResourceHandle,
	complete bool,
) (old v1alpha2.ResourceClaimStatus) {
	old.DriverName = new.Controller
	old.Allocation = &v1alpha2.AllocationResult{AvailableOnNodes: new.NodeSelector, Shareable: complete}
	results := new.Devices.Results
	if old.DriverName == "" && len(results) > 0 {
		old.DriverName = results[0].Driver
	}
	if old.DriverName == "" && complete {
		old.DriverName = names.Domain
	}
	if len(results) == 1 && results[0].Pool == placeholderPool && results[0].Device == deviceNone &&
		results[0].Driver == old.DriverName {
		return old
	}
	config := readConfig(new.Devices.Config, held)
	var pools index[pool, *v1alpha2.StructuredResourceHandle]
	var devices []v1alpha2.NamedResourcesAllocationResult
	handles := make([]v1alpha2.ResourceHandle, 0, len(results))
	for i, result := range results {
		driver := result.Driver
		if result.Pool == placeholderPool && IsHandleDevice(result.Device) {
			handles = append(handles, v1alpha2.ResourceHandle{
				DriverName: driver,
				Data:       config.takeData(driver, result.Device),
			})
			continue
		}
		in := pool{driver, result.Pool}
		if pools.of(in) == nil {
			data := &v1alpha2.StructuredResourceHandle{
				VendorClassParameters: config.takeVendors(v1alpha3.AllocationConfigSourceClass, driver, ""),
				VendorClaimParameters: config.takeVendors(v1alpha3.AllocationConfigSourceClaim, driver, ""),
				NodeName:              nodeOf(result.Pool),
				Results:               make([]v1alpha2.DriverAllocationResult, 0, min(len(results)-i, 4)),
			}
			pools.add(in, data)
			handles = append(handles, v1alpha2.ResourceHandle{DriverName: driver, StructuredData: data})
		}
		if devices == nil {
			devices = make([]v1alpha2.NamedResourcesAllocationResult, 0, len(results)-i)
		}
		devices = append(devices, v1alpha2.NamedResourcesAllocationResult{Name: result.Device})
		device := v1alpha2.DriverAllocationResult{
			VendorRequestParameters: config.takeVendors(v1alpha3.AllocationConfigSourceClaim, driver, result.Request),
		}
		device.NamedResources = &devices[len(devices)-1]
		data := *pools.of(in)
		data.Results = append(data.Results, device)
	}
	old.Allocation.ResourceHandles = handles
	return old
}

// pool of a driver.
type pool struct{ driver, name string }

// nodeOf is the node that a pool is named after; a pool of several segments is none.
func nodeOf(pool string) string {
	if pool == placeholderPool || strings.Contains(pool, "/") {
		return ""
	}
	return pool
}

// allocationConfig is the configuration of an allocation, by what it is for. Each is taken once.
type allocationConfig struct {
	// handles have their data.
	handles index[handleKey, string]
	// vendors have their parameters: none when they were taken, or when several entries are for the same.
	vendors index[vendorsKey, []byte]
}

// handleKey is the result that a handle stands for.
type handleKey struct{ driver, device string }

// vendorsKey is what a vendor's field is for: all requests or one.
type vendorsKey struct {
	source          v1alpha3.AllocationConfigSource
	driver, request string
}

// readConfig also takes the handles that are known to be held, by the index of their entry.
func readConfig(entries []v1alpha3.DeviceAllocationConfiguration, held []ResourceHandle) (c allocationConfig) {
	for i := range entries {
		if i < len(held) && held[i].Data != "" {
			c.addData(&held[i])
		} else if h := AsResourceHandle(&entries[i]); h != nil {
			c.addData(h)
		} else {
			c.addVendors(&entries[i])
		}
	}
	return c
}

func (c *allocationConfig) addData(h *ResourceHandle) {
	if key := (handleKey{h.Driver, h.Device}); c.handles.of(key) == nil {
		c.handles.add(key, h.Data)
	}
}

// takeData gives the data of a handle to the first of results that are the same.
func (c *allocationConfig) takeData(driver, device string) (data string) {
	if of := c.handles.of(handleKey{driver, device}); of != nil {
		data, *of = *of, ""
	}
	return data
}

func (c *allocationConfig) addVendors(entry *v1alpha3.DeviceAllocationConfiguration) {
	if entry.Opaque == nil || len(entry.Requests) > 1 || !isVendors(entry.Opaque) {
		return
	}
	key := vendorsKey{source: entry.Source, driver: entry.Opaque.Driver}
	if len(entry.Requests) == 1 {
		key.request = entry.Requests[0]
	}
	if of := c.vendors.of(key); of != nil {
		*of = nil
		return
	}
	c.vendors.add(key, entry.Opaque.Parameters.Raw)
}

// takeVendors gives the parameters of the only entry of a source for a driver and a request, ""
// being all requests, to whoever asks first. Several entries, or one for several requests, are more
// than a vendor's field can say.
func (c *allocationConfig) takeVendors(source v1alpha3.AllocationConfigSource,
	driver, request string,
) (parameters runtime.RawExtension) {
	if of := c.vendors.of(vendorsKey{source, driver, request}); of != nil {
		parameters.Raw, *of = *of, nil
	}
	return parameters
}
