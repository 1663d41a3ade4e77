package v1alpha3

import (
	"cmp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
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

// nativeAllocationUp reads a classic allocation for a request of the new spec; with no request
// there can be no results. It keeps the limits of v1alpha3: what is too much is not in it. The
// handles are those that its configuration holds, each at the index of its entry, so that nobody
// needs to read them there.
func nativeAllocationUp(old *v1alpha2.ResourceClaimStatus,
	request string,
) (new *v1alpha3.AllocationResult, held []ResourceHandle) {
	handles := old.Allocation.ResourceHandles
	new = &v1alpha3.AllocationResult{NodeSelector: old.Allocation.AvailableOnNodes}
	if old.DriverName != names.Domain && !allStructured(handles) {
		new.Controller = old.DriverName
	}
	if request == "" {
		return new, nil
	}
	b := allocationBuilder{request: request, driver: old.DriverName}
	if len(handles) == 0 {
		b.result(old.DriverName, placeholderPool, deviceNone)
	}
	for n := range handles {
		b.handle(n, &handles[n])
	}
	new.Devices = b.build()
	return new, b.held
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
	request, driver          string
	results                  []v1alpha3.DeviceRequestAllocationResult
	class, claim, perRequest []v1alpha3.DeviceAllocationConfiguration
	// held are the handles that entries of the class hold, at the same index.
	held []ResourceHandle
	// seen are the vendors' entries so far, at most 64 of each of the three.
	seen []vendorsEntry
}

func (b *allocationBuilder) handle(n int, h *v1alpha2.ResourceHandle) {
	driver := cmp.Or(h.DriverName, b.driver)
	device := handleDevice(n)
	if h.StructuredData == nil {
		b.result(driver, placeholderPool, device)
		if h.Data != "" && len(h.Data) <= v1alpha2.ResourceHandleDataMaxSize && names.IsDriver(driver) &&
			driver != names.Domain {
			b.hold(ResourceHandle{
				APIVersion: EntryAPIVersion, Data: h.Data, Device: device, Driver: driver,
				Kind: KindResourceHandle,
			})
		}
		return
	}
	s := h.StructuredData
	pool := cmp.Or(s.NodeName, placeholderPool)
	b.class = b.config(b.class, v1alpha3.AllocationConfigSourceClass, driver, s.VendorClassParameters.Raw, false)
	b.claim = b.config(b.claim, v1alpha3.AllocationConfigSourceClaim, driver, s.VendorClaimParameters.Raw, false)
	for m, r := range s.Results {
		if r.NamedResources != nil && names.IsLabel(r.NamedResources.Name) {
			b.result(driver, pool, r.NamedResources.Name)
		} else {
			b.result(driver, pool, device+"-"+strconv.Itoa(m))
		}
		b.perRequest = b.config(b.perRequest, v1alpha3.AllocationConfigSourceClaim, driver,
			r.VendorRequestParameters.Raw, true)
	}
}

// hold adds an entry with the data of a handle.
func (b *allocationBuilder) hold(h ResourceHandle) {
	if b.held == nil {
		b.held = make([]ResourceHandle, 0, few)
		b.class = slices.Grow(b.class, few)
	}
	for len(b.held) < len(b.class) {
		b.held = append(b.held, ResourceHandle{})
	}
	b.held = append(b.held, h)
	b.class = append(b.class, v1alpha3.DeviceAllocationConfiguration{
		Source: v1alpha3.AllocationConfigSourceClass, DeviceConfiguration: EntryOf(&b.held[len(b.held)-1]),
	})
}

// result adds a result. A kubelet looks for the plugin of its driver, so it must be one.
func (b *allocationBuilder) result(driver, pool, device string) {
	if driver == "" || driver == names.Domain || len(b.results) >= v1alpha3.AllocationResultsMaxSize {
		return
	}
	if b.results == nil {
		b.results = make([]v1alpha3.DeviceRequestAllocationResult, 0, few)
	}
	b.results = append(b.results, v1alpha3.DeviceRequestAllocationResult{
		Request: b.request, Driver: driver, Pool: pool, Device: device,
	})
}

// config adds an entry, unless the same is there: equal parameters of one driver and source are one entry.
func (b *allocationBuilder) config(list []v1alpha3.DeviceAllocationConfiguration,
	source v1alpha3.AllocationConfigSource, driver string, parameters []byte,
	perRequest bool,
) []v1alpha3.DeviceAllocationConfiguration {
	if len(parameters) == 0 || len(list) >= v1alpha3.AllocationConfigMaxSize {
		return list
	}
	key := vendorsEntry{source, driver, kjson.View(kjson.CanonicalForm(parameters)), perRequest}
	if slices.Contains(b.seen, key) {
		return list
	}
	c := v1alpha3.DeviceAllocationConfiguration{Source: source}
	c.Opaque = &v1alpha3.OpaqueDeviceConfiguration{Driver: driver, Parameters: runtime.RawExtension{Raw: parameters}}
	if !isVendors(c.Opaque) {
		return list
	}
	if perRequest {
		c.Requests = []string{b.request}
	}
	b.seen = append(b.seen, key)
	return append(list, c)
}

// vendorsEntry is what makes an entry another one, its parameters in canonical form. A handle may
// have as many results as fit into its object, and each is looked for here: the form is made once.
type vendorsEntry struct {
	source             v1alpha3.AllocationConfigSource
	driver, parameters string
	perRequest         bool
}

func (b *allocationBuilder) build() (d v1alpha3.DeviceAllocationResult) {
	d.Results = b.results
	d.Config = append(append(b.class, b.claim...), b.perRequest...)
	if most := v1alpha3.AllocationConfigMaxSize - 1; len(d.Config) > most { // one place is for what is left over
		d.Config = d.Config[:most]
	}
	return d
}
