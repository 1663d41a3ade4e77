package conversion

import (
	"slices"
	"strconv"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// The native reading of a classic allocation:
//
//	v1alpha2                               v1alpha3
//	allocation.availableOnNodes            allocation.nodeSelector
//	driverName                             allocation.controller, unless all handles are structured: then it was the
//	                                         scheduler that allocated, and it will deallocate
//	no handles                             a result of the driver: pool claimbridge.dev, device none
//	nth handle, with data or nothing       a result of its driver: pool claimbridge.dev, device handle-<n>
//	  its data                             config, FromClass, driver claimbridge.dev, parameters of kind ResourceHandle
//	structuredData.results[]               a result each: device is the name, pool is the node
//	  vendorClassParameters                config, FromClass
//	  vendorClaimParameters                config, FromClaim
//	  vendorRequestParameters              config, FromClaim, for the request
//
// Since 1.31 a kubelet plugin is called only for drivers named in results, and reads its parameters from config.

const (
	placeholderPool = domain
	deviceNone      = "none"
	devicePrefix    = "handle-"
)

// handleDevices are the names of as many as an allocation has at most.
var handleDevices = func() (names [v1alpha2.AllocationResultResourceHandlesMaxSize]string) {
	for n := range names {
		names[n] = devicePrefix + strconv.Itoa(n)
	}
	return names
}()

// handleDevice is the device that stands for the nth handle.
func handleDevice(n int) string {
	if n < len(handleDevices) {
		return handleDevices[n]
	}
	return devicePrefix + strconv.Itoa(n)
}

// isHandleDevice tells whether a device in the placeholder pool stands for a handle that names no device.
func isHandleDevice(device string) bool {
	if len(device) <= len(devicePrefix) || device[:len(devicePrefix)] != devicePrefix {
		return false
	}
	_, err := strconv.ParseUint(device[len(devicePrefix):], 10, 16)
	return err == nil
}

// nativeAllocationUp reads a classic allocation for a request of the new spec; with no request there can be no
// results. It keeps the limits of v1alpha3: what is too much is not in it.
func nativeAllocationUp(r *room, old *v1alpha2.ResourceClaimStatus, request string) *v1alpha3.AllocationResult {
	handles := old.Allocation.ResourceHandles
	b := allocationBuilder{room: r, request: request, driver: old.DriverName, requests: r.strings.list(1)}
	b.requests[0] = request
	r.seen.reset()
	new := r.v1alpha3AllocationResult.put(v1alpha3.AllocationResult{NodeSelector: old.Allocation.AvailableOnNodes})
	if old.DriverName != domain && !allStructured(handles) {
		new.Controller = old.DriverName
	}
	if request == "" {
		return new
	}
	if len(handles) == 0 {
		b.result(old.DriverName, placeholderPool, deviceNone)
	}
	for n, h := range handles {
		b.handle(n, h)
	}
	new.Devices = b.build()
	return new
}

func allStructured(handles []v1alpha2.ResourceHandle) bool {
	for _, h := range handles {
		if h.StructuredData == nil {
			return false
		}
	}
	return len(handles) > 0
}

// allocationBuilder collects results and configuration: first what is of the class, then of the claim, then of
// single requests, in the order in which the allocator of 1.31 writes them and drivers apply them.
type allocationBuilder struct {
	room                     *room
	request, driver          string
	requests                 []string // the one
	results                  []v1alpha3.DeviceRequestAllocationResult
	class, claim, perRequest []v1alpha3.DeviceAllocationConfiguration
}

func (b *allocationBuilder) handle(n int, h v1alpha2.ResourceHandle) {
	driver := h.DriverName
	if driver == "" {
		driver = b.driver
	}
	device := handleDevice(n)
	if h.StructuredData == nil {
		b.result(driver, placeholderPool, device)
		if h.Data != "" && len(h.Data) <= v1alpha2.ResourceHandleDataMaxSize && isDriver(driver) && driver != domain {
			b.class = append(b.list(b.class), v1alpha3.DeviceAllocationConfiguration{
				Source: v1alpha3.AllocationConfigSourceClass,
				DeviceConfiguration: entryOfHandle(b.room, resourceHandle{
					APIVersion: entryAPIVersion, Data: h.Data, Device: device, Driver: driver, Kind: kindResourceHandle,
				}),
			})
		}
		return
	}
	s := h.StructuredData
	pool := s.NodeName
	if pool == "" {
		pool = placeholderPool
	}
	b.class = b.config(b.class, v1alpha3.AllocationConfigSourceClass, driver, s.VendorClassParameters.Raw, nil)
	b.claim = b.config(b.claim, v1alpha3.AllocationConfigSourceClaim, driver, s.VendorClaimParameters.Raw, nil)
	for m, r := range s.Results {
		if r.NamedResources != nil && isLabel(r.NamedResources.Name) {
			b.result(driver, pool, r.NamedResources.Name)
		} else {
			b.result(driver, pool, device+"-"+strconv.Itoa(m))
		}
		b.perRequest = b.config(b.perRequest, v1alpha3.AllocationConfigSourceClaim, driver,
			r.VendorRequestParameters.Raw, b.requests)
	}
}

// result adds a result. A kubelet looks for the plugin of its driver, so it must be one.
func (b *allocationBuilder) result(driver, pool, device string) {
	if driver == "" || driver == domain || len(b.results) >= v1alpha3.AllocationResultsMaxSize {
		return
	}
	b.results = b.room.v1alpha3DeviceRequestAllocationResult.add(b.results)
	b.results[len(b.results)-1] = v1alpha3.DeviceRequestAllocationResult{
		Request: b.request, Driver: driver, Pool: pool, Device: device,
	}
}

// config adds an entry, unless the same is there: equal parameters of one driver and source are one entry.
func (b *allocationBuilder) config(list []v1alpha3.DeviceAllocationConfiguration, source v1alpha3.AllocationConfigSource, driver string, parameters []byte, requests []string) []v1alpha3.DeviceAllocationConfiguration {
	if len(parameters) == 0 || len(list) >= v1alpha3.AllocationConfigMaxSize {
		return list
	}
	key := entryKey{source, driver, kjson.View(kjson.CanonicalForm(parameters)), len(requests) > 0}
	if b.room.seen.get(key) != nil {
		return list
	}
	c := v1alpha3.DeviceAllocationConfiguration{Source: source, Requests: requests}
	c.Opaque = b.room.v1alpha3OpaqueDeviceConfiguration.put(v1alpha3.OpaqueDeviceConfiguration{Driver: driver})
	c.Opaque.Parameters.Raw = parameters
	if !isVendors(c.Opaque) {
		return list
	}
	b.room.seen.put(key, struct{}{})
	return append(b.list(list), c)
}

// entryKey is what makes an entry another one. A handle may have as many results as its object has room for, and each
// is looked for here: comparing it with every entry would take seconds.
type entryKey struct {
	source             v1alpha3.AllocationConfigSource
	driver, parameters string
	perRequest         bool
}

// list gives an empty list some room; most allocations need no more.
func (b *allocationBuilder) list(list []v1alpha3.DeviceAllocationConfiguration) []v1alpha3.DeviceAllocationConfiguration {
	if list == nil {
		return b.room.v1alpha3DeviceAllocationConfiguration.list(4)[:0]
	}
	return list
}

func (b *allocationBuilder) build() (d v1alpha3.DeviceAllocationResult) {
	d.Results = slices.Clip(b.results)
	d.Config = b.class
	if len(b.claim)+len(b.perRequest) > 0 {
		d.Config = b.room.v1alpha3DeviceAllocationConfiguration.list(len(b.class) + len(b.claim) + len(b.perRequest))[:0]
		d.Config = append(append(append(d.Config, b.class...), b.claim...), b.perRequest...)
	}
	if most := v1alpha3.AllocationConfigMaxSize - 1; len(d.Config) > most { // one place is for what is left over
		d.Config = d.Config[:most]
	}
	return d
}
