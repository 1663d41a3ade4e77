package hub

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
)

// v1alpha2 represents these fields of v1alpha3 without claimbridge's entries:
//
//	v1alpha3                                  v1alpha2
//	class of the first request, or of its     spec.resourceClassName
//	  first alternative, else claimbridge.dev
//	allocation.nodeSelector                   allocation.availableOnNodes
//	allocation.controller, else the driver    status.driverName
//	  of the first result, else claimbridge.dev
//	nothing: claims can be shared             allocation.shareable: true
//	the only result: pool claimbridge.dev,    no handles
//	  device none
//	pool claimbridge.dev, device handle-<n>   a handle
//	  an entry of kind ResourceHandle           its data
//	other results of one driver and pool      a handle with structuredData: nodeName is the pool, the results are the
//	                                            devices
//	  the only entry FromClass                  vendorClassParameters of the driver's first such handle
//	  the only entry FromClaim                  vendorClaimParameters of the driver's first such handle
//	  the only entry FromClaim for the request  vendorRequestParameters of the driver's first result for it
//
// Not visible in v1alpha2 are other requests, alternatives, constraints, other configuration, and the controller of the
// spec.
//
// Parameters that several pools or results share are visible once. Otherwise a claim with 32 pools would be 32 times as
// large in this version as in storage. In the reverse conversion parameters belong to the driver, not to the handle.

func (c *V1) toV1alpha2(o Options) *V1alpha2 {
	return c.toV1alpha3(o).toV1alpha2(o)
}

func (c *V1alpha3) toV1alpha2(o Options) *V1alpha2 {
	out := &V1alpha2{}
	if c.Spec != nil {
		out.Spec = v1alpha3SpecToV1alpha2(c.Spec, o)
	}
	if c.Status != nil {
		out.Status = v1alpha3StatusToV1alpha2(c.Status, o)
	}
	return out
}

func v1alpha3SpecToV1alpha2(in *v1alpha3.ResourceClaimSpec, o Options) *v1alpha2.ResourceClaimSpec {
	out := &v1alpha2.ResourceClaimSpec{ResourceClassName: visibleClass(in.Devices.Requests)}
	if out.ResourceClassName == "" && !o.IsFragment {
		out.ResourceClassName = names.Domain // v1alpha2 allows no claim without a class
	}
	if entry, _ := findClassicSpecEntry(in.Devices.Config, o); entry != nil {
		out.AllocationMode = entry.AllocationMode
		out.ParametersRef = entry.ParametersRef
	}
	if o.WantsDefaults() {
		v1alpha2.SetSpecDefaults(out)
	}
	return out
}

// visibleClass returns the class of the first request, or of its first alternative, regardless of which alternative was
// allocated: the spec does not depend on the status.
func visibleClass(requests []v1alpha3.DeviceRequest) string {
	if len(requests) == 0 {
		return ""
	}
	first := &requests[0]
	if first.DeviceClassName == "" && len(first.FirstAvailable) > 0 {
		return first.FirstAvailable[0].DeviceClassName
	}
	return first.DeviceClassName
}

func v1alpha3StatusToV1alpha2(in *v1alpha3.ResourceClaimStatus, o Options) *v1alpha2.ResourceClaimStatus {
	out := &v1alpha2.ResourceClaimStatus{
		ReservedFor:           in.ReservedFor,
		DeallocationRequested: in.DeallocationRequested,
	}
	if in.Allocation == nil {
		return out
	}
	entry, allocation := findClassicAllocationEntry(in.Allocation, o)
	visible := v1alpha3AllocationToV1alpha2(allocation, o)
	out.DriverName = visible.DriverName
	out.Allocation = visible.Allocation
	if entry == nil {
		return out
	}
	entry.apply(out)
	if !o.IsFragment && len(out.ReservedFor) > 1 { // a v1alpha2 claim with several consumers is always shareable
		out.Allocation.Shareable = true
	}
	return out
}

// v1alpha3AllocationToV1alpha2 returns a status with the driver and the allocation that v1alpha2 represents, without an
// entry of kind ClassicAllocation.
func v1alpha3AllocationToV1alpha2(in *v1alpha3.AllocationResult, o Options) (out v1alpha2.ResourceClaimStatus) {
	results := in.Devices.Results
	out.Allocation = &v1alpha2.AllocationResult{AvailableOnNodes: in.NodeSelector, Shareable: !o.IsFragment}
	out.DriverName = in.Controller
	if out.DriverName == "" && len(results) > 0 {
		out.DriverName = results[0].Driver
	}
	if out.DriverName == "" && !o.IsFragment {
		out.DriverName = names.Domain
	}
	if !representsNoHandles(results, out.DriverName) {
		out.Allocation.ResourceHandles = resultsToHandles(results, in.Devices.Config)
	}
	return out
}

// representsNoHandles reports whether the only result is the one of an allocation without handles.
func representsNoHandles(results []v1alpha3.DeviceRequestAllocationResult, driver string) bool {
	return len(results) == 1 && results[0].Pool == handlePool && results[0].Device == noHandleDevice &&
		results[0].Driver == driver
}

// resultsToHandles returns a handle for each result that represents one, and one structured handle for all other
// results of a driver and pool.
func resultsToHandles(
	results []v1alpha3.DeviceRequestAllocationResult, config []v1alpha3.DeviceAllocationConfiguration,
) []v1alpha2.ResourceHandle {
	type poolOfDriver struct{ driver, pool string }
	structured := map[poolOfDriver]*v1alpha2.StructuredResourceHandle{}
	parameters := readHandleParameters(config)
	handles := make([]v1alpha2.ResourceHandle, 0, len(results))
	for _, result := range results {
		driver := result.Driver
		if result.Pool == handlePool && isHandleDevice(result.Device) {
			data := parameters.takeData(driver, result.Device)
			handles = append(handles, v1alpha2.ResourceHandle{DriverName: driver, Data: data})
			continue
		}
		key := poolOfDriver{driver, result.Pool}
		handle := structured[key]
		if handle == nil {
			handle = &v1alpha2.StructuredResourceHandle{
				VendorClassParameters: parameters.takeVendor(v1.AllocationConfigSourceClass, driver, ""),
				VendorClaimParameters: parameters.takeVendor(v1.AllocationConfigSourceClaim, driver, ""),
				NodeName:              nodeOfPool(result.Pool),
			}
			structured[key] = handle
			handles = append(handles, v1alpha2.ResourceHandle{DriverName: driver, StructuredData: handle})
		}
		device := v1alpha2.DriverAllocationResult{
			VendorRequestParameters: parameters.takeVendor(v1.AllocationConfigSourceClaim, driver, result.Request),
		}
		device.NamedResources = &v1alpha2.NamedResourcesAllocationResult{Name: result.Device}
		handle.Results = append(handle.Results, device)
	}
	return handles
}

// nodeOfPool returns the node that a pool is named after, or "". A pool whose name has several segments is not named
// after a node.
func nodeOfPool(pool string) string {
	if pool == handlePool || strings.Contains(pool, "/") {
		return ""
	}
	return pool
}

// handleParameters is the configuration of an allocation, by the handle that it belongs to. Each value is visible once.
type handleParameters struct {
	data   map[dataKey]string
	vendor map[vendorKey][]byte // nil for a key with several configurations
}

type dataKey struct{ driver, device string }

// vendorKey identifies a field for vendor parameters. The request is empty in a field for all requests.
type vendorKey struct {
	source          v1.AllocationConfigSource
	driver, request string
}

func readHandleParameters(config []v1alpha3.DeviceAllocationConfiguration) handleParameters {
	p := handleParameters{data: map[dataKey]string{}, vendor: map[vendorKey][]byte{}}
	for i := range config {
		c := &config[i]
		if h := readResourceHandleEntry(c); h != nil {
			key := dataKey{h.Driver, h.Device}
			if _, isDuplicate := p.data[key]; !isDuplicate {
				p.data[key] = h.Data
			}
			continue
		}
		if c.Opaque == nil || len(c.Requests) > 1 || !isVendorConfig(c.Opaque) {
			continue
		}
		key := vendorKey{source: c.Source, driver: c.Opaque.Driver}
		if len(c.Requests) == 1 {
			key.request = c.Requests[0]
		}
		if _, isDuplicate := p.vendor[key]; isDuplicate {
			p.vendor[key] = nil
		} else {
			p.vendor[key] = c.Opaque.Parameters.Raw
		}
	}
	return p
}

// takeData returns the data of a handle once: the first of equal results gets it, later ones get "".
func (p *handleParameters) takeData(driver, device string) string {
	key := dataKey{driver, device}
	data := p.data[key]
	if data != "" {
		p.data[key] = ""
	}
	return data
}

// takeVendor returns the parameters of the only configuration of a source for a driver and a request once: the first
// result gets them, later ones get none. An empty request stands for all requests.
func (p *handleParameters) takeVendor(
	source v1.AllocationConfigSource, driver, request string,
) (parameters runtime.RawExtension) {
	key := vendorKey{source, driver, request}
	parameters.Raw = p.vendor[key]
	if parameters.Raw != nil {
		p.vendor[key] = nil
	}
	return parameters
}
