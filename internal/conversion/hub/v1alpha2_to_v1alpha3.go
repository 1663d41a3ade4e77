package hub

import (
	"cmp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// v1alpha2 (Kubernetes 1.27 to 1.30) has a class and handles. v1alpha3 (1.31 to 1.33) has requests, devices and their
// configuration.
//
//	v1alpha2                                  v1alpha3
//	spec.resourceClassName: c                 spec.devices.requests: [{name: claim, deviceClassName: c,
//	                                            allocationMode: ExactCount, count: 1}]
//	spec.allocationMode: WaitForFirstConsumer nothing, it is implied
//	spec.allocationMode: Immediate,           an entry of kind ClassicClaimSpec in spec.devices.config
//	  spec.parametersRef
//	status.reservedFor                        the same
//	status.deallocationRequested              the same
//	status.driverName                         status.allocation.controller, unless all handles are structured: then the
//	                                            scheduler allocated, and it will deallocate
//	allocation.availableOnNodes               allocation.nodeSelector
//	no handles                                a result of the driver: pool claimbridge.dev, device none
//	nth handle without structured data        a result of its driver: pool claimbridge.dev, device handle-<n>
//	  its data                                an entry of kind ResourceHandle in allocation.devices.config
//	structuredData.results[]                  a result for each: the device is its name, the pool is the node
//	  vendorClassParameters                   allocation.devices.config, FromClass
//	  vendorClaimParameters                   allocation.devices.config, FromClaim
//	  vendorRequestParameters                 allocation.devices.config, FromClaim, for the request
//	anything else of an allocation            an entry of kind ClassicAllocation in allocation.devices.config
//
// Since 1.31 a kubelet plugin is called only for drivers that results name, and reads its parameters from the
// configuration.

// classicRequest is the name of the request that a class becomes.
const classicRequest = "claim"

// ToV1 implements [Claim].
func (c *V1alpha2) ToV1(o Options) (*V1, error) { return c.ToV1For("", o) }

// ToV1For implements [LossyClaim].
func (c *V1alpha2) ToV1For(request string, o Options) (*V1, error) {
	if err := c.checkHandles(o); err != nil {
		return nil, err
	}
	return c.toV1alpha3(request, o).ToV1(o)
}

// toV1alpha3 returns the claim in v1alpha3. The allocation is for the named request. If the name is empty, it is for
// the request that the class becomes.
func (c *V1alpha2) toV1alpha3(request string, o Options) *V1alpha3 {
	out := &V1alpha3{}
	if c.Spec != nil {
		out.Spec = v1alpha2SpecToV1alpha3(c.Spec, o)
	}
	if c.Status == nil {
		return out
	}
	// Without a spec, or in a fragment without a class, the claim may have a class that is not visible here.
	mayHaveClass := c.Spec == nil || o.IsFragment || c.Spec.ResourceClassName != ""
	if request == "" && mayHaveClass {
		request = classicRequest
	}
	out.Status = v1alpha2StatusToV1alpha3(c.Status, request, o)
	return out
}

// lostFields returns the paths of fields that v1alpha3 neither represents nor preserves. One of them is shareable: true
// in a fragment. A complete object does not lose it: an allocation without a ClassicAllocation entry is converted back
// to a shareable one. That of a fragment is converted back without the field, because the client may not have set it.
func (c *V1alpha2) lostFields(o Options) (fields []string) {
	if c.Status == nil {
		return nil
	}
	allocation := c.Status.Allocation
	if allocation == nil {
		if c.Status.DriverName != "" {
			return []string{"status.driverName"}
		}
		return nil
	}
	fields = invalidHandles(allocation.ResourceHandles)
	if o.IsFragment && allocation.Shareable {
		fields = append(fields, "status.allocation.shareable")
	}
	return fields
}

func v1alpha2SpecToV1alpha3(in *v1alpha2.ResourceClaimSpec, o Options) *v1alpha3.ResourceClaimSpec {
	out := &v1alpha3.ResourceClaimSpec{}
	if in.ResourceClassName != "" {
		request := v1alpha3.DeviceRequest{Name: classicRequest, DeviceClassName: in.ResourceClassName}
		out.Devices.Requests = []v1alpha3.DeviceRequest{request}
	}
	if entry := newClassicSpecEntry(in, o); entry != nil {
		out.Devices.Config = []v1alpha3.DeviceClaimConfiguration{{DeviceConfiguration: newEntry(entry)}}
	}
	if o.WantsDefaults() {
		v1alpha3.SetSpecDefaults(out)
	}
	return out
}

func v1alpha2StatusToV1alpha3(
	in *v1alpha2.ResourceClaimStatus, request string, o Options,
) *v1alpha3.ResourceClaimStatus {
	out := &v1alpha3.ResourceClaimStatus{
		ReservedFor:           in.ReservedFor,
		DeallocationRequested: in.DeallocationRequested,
	}
	if in.Allocation == nil {
		return out
	}
	in = withoutAmbiguousData(in)
	out.Allocation = v1alpha2AllocationToV1alpha3(in, request)
	if entry := newClassicAllocationEntry(in, out.Allocation, o); entry != nil {
		devices := &out.Allocation.Devices
		devices.Config = append(slices.Clip(devices.Config), v1alpha3.DeviceAllocationConfiguration{
			Source: v1alpha3.AllocationConfigSourceClass, DeviceConfiguration: newEntry(entry),
		})
	}
	return out
}

// withoutAmbiguousData returns a status without the data of handles that also have structured data. v1alpha2 rejects
// such handles, and an entry with one would not be restored.
func withoutAmbiguousData(in *v1alpha2.ResourceClaimStatus) *v1alpha2.ResourceClaimStatus {
	hasBoth := func(h v1alpha2.ResourceHandle) bool { return h.Data != "" && h.StructuredData != nil }
	if !slices.ContainsFunc(in.Allocation.ResourceHandles, hasBoth) {
		return in
	}
	status, allocation := *in, *in.Allocation
	allocation.ResourceHandles = slices.Clone(allocation.ResourceHandles)
	for i := range allocation.ResourceHandles {
		if hasBoth(allocation.ResourceHandles[i]) {
			allocation.ResourceHandles[i].Data = ""
		}
	}
	status.Allocation = &allocation
	return &status
}

// v1alpha2AllocationToV1alpha3 returns the part of an allocation that v1alpha3 can represent without an entry of kind
// ClassicAllocation. All results are for the named request. If request is "", there are no results. Data that exceeds a
// limit of v1alpha3 is omitted.
func v1alpha2AllocationToV1alpha3(in *v1alpha2.ResourceClaimStatus, request string) *v1alpha3.AllocationResult {
	handles := in.Allocation.ResourceHandles
	out := &v1alpha3.AllocationResult{NodeSelector: in.Allocation.AvailableOnNodes}
	if in.DriverName != names.Domain && !areAllStructured(handles) {
		out.Controller = in.DriverName
	}
	if request == "" {
		return out
	}
	b := allocationBuilder{request: request, driver: in.DriverName}
	if len(handles) == 0 {
		b.addResult(in.DriverName, handlePool, noHandleDevice)
	}
	for i := range handles {
		b.addHandle(i, &handles[i])
	}
	out.Devices = b.build()
	return out
}

// areAllStructured reports whether there are handles and all have structured data.
func areAllStructured(handles []v1alpha2.ResourceHandle) bool {
	isOpaque := func(h v1alpha2.ResourceHandle) bool { return h.StructuredData == nil }
	return len(handles) > 0 && !slices.ContainsFunc(handles, isOpaque)
}

// allocationBuilder collects the results and the configuration of an allocation: first configuration of the class, then
// of the claim, then of single requests. The allocator of Kubernetes 1.31 writes it in this order, and drivers apply it
// in this order.
type allocationBuilder struct {
	request, driver string
	results         []v1alpha3.DeviceRequestAllocationResult
	classConfig     []v1alpha3.DeviceAllocationConfiguration
	claimConfig     []v1alpha3.DeviceAllocationConfiguration
	requestConfig   []v1alpha3.DeviceAllocationConfiguration
	seenConfigs     map[vendorConfig]bool
}

// vendorConfig identifies a configuration, with its parameters in canonical form.
type vendorConfig struct {
	source             v1alpha3.AllocationConfigSource
	driver, parameters string
	isForRequest       bool
}

func (b *allocationBuilder) addHandle(index int, h *v1alpha2.ResourceHandle) {
	driver := cmp.Or(h.DriverName, b.driver)
	device := handleDevice(index)
	structured := h.StructuredData
	if structured == nil {
		b.addResult(driver, handlePool, device)
		b.addHandleData(driver, device, h.Data)
		return
	}
	pool := cmp.Or(structured.NodeName, handlePool)
	const fromClass, fromClaim = v1alpha3.AllocationConfigSourceClass, v1alpha3.AllocationConfigSourceClaim
	b.classConfig = b.appendConfig(b.classConfig, vendorConfig{source: fromClass, driver: driver},
		structured.VendorClassParameters)
	b.claimConfig = b.appendConfig(b.claimConfig, vendorConfig{source: fromClaim, driver: driver},
		structured.VendorClaimParameters)
	for i, result := range structured.Results {
		if result.NamedResources != nil && names.IsLabel(result.NamedResources.Name) {
			b.addResult(driver, pool, result.NamedResources.Name)
		} else {
			b.addResult(driver, pool, device+"-"+strconv.Itoa(i))
		}
		b.requestConfig = b.appendConfig(b.requestConfig,
			vendorConfig{source: fromClaim, driver: driver, isForRequest: true}, result.VendorRequestParameters)
	}
}

// addHandleData adds an entry with the data of a handle, unless v1alpha2 would not accept the data.
func (b *allocationBuilder) addHandleData(driver, device, data string) {
	isValid := data != "" && len(data) <= v1alpha2.ResourceHandleDataMaxSize
	if !isValid || !names.IsDriver(driver) || driver == names.Domain {
		return
	}
	b.classConfig = append(b.classConfig, v1alpha3.DeviceAllocationConfiguration{
		Source: v1alpha3.AllocationConfigSourceClass,
		DeviceConfiguration: newEntry(&ResourceHandleEntry{
			APIVersion: EntryAPIVersion,
			Data:       data,
			Device:     device,
			Driver:     driver,
			Kind:       KindResourceHandle,
		}),
	})
}

// addResult adds a result, unless the list is full. It omits a result of claimbridge.dev or without a driver, because a
// kubelet would look for the plugin of that driver.
func (b *allocationBuilder) addResult(driver, pool, device string) {
	if driver == "" || driver == names.Domain || len(b.results) >= v1alpha3.AllocationResultsMaxSize {
		return
	}
	b.results = append(b.results, v1alpha3.DeviceRequestAllocationResult{
		Request: b.request, Driver: driver, Pool: pool, Device: device,
	})
}

// appendConfig appends a configuration with parameters to a list, unless an equal one was appended before.
func (b *allocationBuilder) appendConfig(
	list []v1alpha3.DeviceAllocationConfiguration, config vendorConfig, parameters runtime.RawExtension,
) []v1alpha3.DeviceAllocationConfiguration {
	if len(parameters.Raw) == 0 || len(list) >= v1alpha3.AllocationConfigMaxSize {
		return list
	}
	config.parameters = string(objectjson.CanonicalOrSame(parameters.Raw))
	opaque := &v1alpha3.OpaqueDeviceConfiguration{Driver: config.driver, Parameters: parameters}
	if b.seenConfigs[config] || !isVendorConfig(opaque) {
		return list
	}
	if b.seenConfigs == nil {
		b.seenConfigs = map[vendorConfig]bool{}
	}
	b.seenConfigs[config] = true
	c := v1alpha3.DeviceAllocationConfiguration{
		Source:              config.source,
		DeviceConfiguration: v1alpha3.DeviceConfiguration{Opaque: opaque},
	}
	if config.isForRequest {
		c.Requests = []string{b.request}
	}
	return append(list, c)
}

func (b *allocationBuilder) build() v1alpha3.DeviceAllocationResult {
	config := slices.Concat(b.classConfig, b.claimConfig, b.requestConfig)
	if limit := v1alpha3.AllocationConfigMaxSize - 1; len(config) > limit { // one is for the ClassicAllocation entry
		config = config[:limit]
	}
	return v1alpha3.DeviceAllocationResult{Results: b.results, Config: config}
}
