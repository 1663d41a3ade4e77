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
//	  the one config entry FromClass              its vendorClassParameters
//	  the one config entry FromClaim              its vendorClaimParameters
//	  the one FromClaim for the one request       vendorRequestParameters of the result

// nativeAllocationDown reads an allocation without the entry of ours. The status has a driver and an allocation and
// nothing else.
func nativeAllocationDown(new *v1alpha3.AllocationResult, complete bool) *v1alpha2.ResourceClaimStatus {
	old := &v1alpha2.ResourceClaimStatus{
		DriverName: new.Controller,
		Allocation: &v1alpha2.AllocationResult{AvailableOnNodes: new.NodeSelector, Shareable: complete},
	}
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
	config := readConfig(new.Devices.Config)
	group := map[[2]string]int{}
	handles := make([]v1alpha2.ResourceHandle, 0, len(results))
	for _, r := range results {
		if r.Pool == placeholderPool && isHandleDevice(r.Device) {
			handles = append(handles, v1alpha2.ResourceHandle{
				DriverName: r.Driver, Data: config.data[[2]string{r.Driver, r.Device}],
			})
			continue
		}
		key := [2]string{r.Driver, r.Pool}
		n, ok := group[key]
		if !ok {
			n = len(handles)
			group[key] = n
			handles = append(handles, v1alpha2.ResourceHandle{
				DriverName: r.Driver,
				StructuredData: &v1alpha2.StructuredResourceHandle{
					VendorClassParameters: config.one(v1alpha3.AllocationConfigSourceClass, r.Driver, ""),
					VendorClaimParameters: config.one(v1alpha3.AllocationConfigSourceClaim, r.Driver, ""),
					NodeName:              nodeOf(r.Pool),
				},
			})
		}
		structured := handles[n].StructuredData
		result := v1alpha2.DriverAllocationResult{
			VendorRequestParameters: config.one(v1alpha3.AllocationConfigSourceClaim, r.Driver, r.Request),
		}
		result.NamedResources = &v1alpha2.NamedResourcesAllocationResult{Name: r.Device}
		structured.Results = append(structured.Results, result)
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
	data map[[2]string]string // driver and device to the data of a handle
	rest map[configKey]configValue
}

// configKey is what a vendor's field is for: all requests, or one.
type configKey struct {
	source          v1alpha3.AllocationConfigSource
	driver, request string
}

type configValue struct {
	parameters runtime.RawExtension
	times      int
}

func readConfig(config []v1alpha3.DeviceAllocationConfiguration) allocationConfig {
	read := allocationConfig{data: map[[2]string]string{}, rest: map[configKey]configValue{}}
	for _, c := range config {
		if h, ok := asResourceHandle(c); ok {
			key := [2]string{c.Opaque.Driver, h.Device}
			if _, twice := read.data[key]; !twice {
				read.data[key] = h.Data
				continue
			}
		}
		if c.Opaque == nil || len(c.Requests) > 1 {
			continue
		}
		key := configKey{source: c.Source, driver: c.Opaque.Driver}
		if len(c.Requests) == 1 {
			key.request = c.Requests[0]
		}
		read.rest[key] = configValue{c.Opaque.Parameters, read.rest[key].times + 1}
	}
	return read
}

// one gives the parameters of the only entry of a source for a driver and a request, "" being all requests. Several
// entries, or one for several requests, are more than a vendor's field can say.
func (c allocationConfig) one(source v1alpha3.AllocationConfigSource, driver, request string) runtime.RawExtension {
	if found := c.rest[configKey{source, driver, request}]; found.times == 1 {
		return found.parameters
	}
	return runtime.RawExtension{}
}
