package objects

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// NearLimits returns a claim of a version whose allocation is near the limits of the version: numbers of results,
// handles and configurations up to the maximum. Their parameters have about size bytes in total. Drivers, pools,
// requests and parameters repeat.
func (s Source) NearLimits(version string, size int) runtime.Object {
	u := untyped{ObjectMeta: s.objectMeta()}
	switch version {
	case "v1alpha1":
		u.Spec = v1alpha2.ResourceClaimSpec{ResourceClassName: "gpu"}
		u.Status = v1alpha1.ResourceClaimStatus{DriverName: "gpu.example.com", Allocation: &v1alpha1.AllocationResult{
			ResourceHandle: s.filler(min(size, v1alpha1.ResourceHandleMaxSize)),
		}}
	case "v1alpha2":
		u.Spec = v1alpha2.ResourceClaimSpec{ResourceClassName: "gpu"}
		u.Status = v1alpha2.ResourceClaimStatus{DriverName: "gpu.example.com", Allocation: s.nearLimitsHandles(size)}
	default:
		spec := s.nearLimitsSpec()
		u.Spec = inVersion(version, spec)
		u.Status = s.nearLimitsStatus(version, size, spec)
	}
	return u.typed(version, api.KindClaim)
}

// nearLimitsSpec has one request, as conversion from a resource class writes it, or several.
func (s Source) nearLimitsSpec() (spec v1.ResourceClaimSpec) {
	for _, name := range pick(s, []string{"claim"}, []string{"a", "b", "c"}) {
		spec.Devices.Requests = append(spec.Devices.Requests,
			v1.DeviceRequest{Name: name, Exactly: &v1.ExactDeviceRequest{
				DeviceClassName: "gpu", AllocationMode: v1.DeviceAllocationModeExactCount, Count: 1,
			}})
	}
	return spec
}

// nearLimitsStatus has parameters of about size bytes in total. Sometimes half of the bytes are in the data that
// drivers report.
func (s Source) nearLimitsStatus(version string, size int, spec v1.ResourceClaimSpec) v1.ResourceClaimStatus {
	maxParameters := 10 << 10 // of one configuration
	if version == "v1alpha3" {
		s = s.until(31)
		maxParameters = math.MaxInt
	}
	a := &v1.AllocationResult{}
	status := v1.ResourceClaimStatus{Allocation: a}
	requests := requestReferences(spec)
	for i := range s.upTo(v1.AllocationResultsMaxSize) {
		r := s.result(pick(s, requests...))
		r.Device = fmt.Sprintf("gpu-%d", i)
		a.Devices.Results = append(a.Devices.Results, r)
	}
	if s.since(32) && s.oneIn(2) {
		size /= 2
		status.Devices = s.deviceStatuses(a.Devices.Results)
		for i, data := range s.repeatedParameters(len(status.Devices), size, maxParameters) {
			status.Devices[i].Data = &runtime.RawExtension{Raw: data}
		}
	}
	for _, parameters := range s.repeatedParameters(s.upTo(v1.AllocationConfigMaxSize), size, maxParameters) {
		c := v1.DeviceAllocationConfiguration{
			Source:   pick(s, v1.AllocationConfigSourceClass, v1.AllocationConfigSourceClaim),
			Requests: s.subset(requests), DeviceConfiguration: s.opaqueConfiguration(),
		}
		c.Opaque.Parameters.Raw = parameters
		a.Devices.Config = append(a.Devices.Config, c)
	}
	return status
}

func (s Source) nearLimitsHandles(size int) *v1alpha2.AllocationResult {
	a := &v1alpha2.AllocationResult{Shareable: true}
	handles := s.upTo(v1alpha2.AllocationResultResourceHandlesMaxSize)
	for i, parameters := range s.repeatedParameters(handles, size, math.MaxInt) {
		h := v1alpha2.ResourceHandle{DriverName: s.driver()}
		if s.oneIn(3) {
			h.Data = s.filler(min(size/handles, v1alpha2.ResourceHandleDataMaxSize))
		} else {
			r := v1alpha2.DriverAllocationResult{}
			r.NamedResources = &v1alpha2.NamedResourcesAllocationResult{Name: fmt.Sprintf("gpu-%d", i)}
			h.StructuredData = &v1alpha2.StructuredResourceHandle{NodeName: pick(s, "node", fmt.Sprintf("node-%d", i))}
			field := pick(s, &h.StructuredData.VendorClassParameters, &h.StructuredData.VendorClaimParameters,
				&r.VendorRequestParameters)
			field.Raw = parameters
			h.StructuredData.Results = []v1alpha2.DriverAllocationResult{r}
		}
		a.ResourceHandles = append(a.ResourceHandles, h)
	}
	return a
}

// upTo returns the limit, or a random number between 1 and the limit.
func (s Source) upTo(limit int) int {
	if s.oneIn(2) {
		return limit
	}
	return 1 + s.IntN(limit)
}

// repeatedParameters returns n JSON objects of about size bytes in total and at most limit bytes each. Some of them are
// equal.
func (s Source) repeatedParameters(n, size, limit int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		if i > 0 && s.oneIn(2) {
			all[i] = bytes.Clone(all[s.IntN(i)])
			continue
		}
		text := s.filler(max(min(size/n, limit)-20, 0) / 2)
		if strings.HasPrefix(text, "<") { // an API server escapes it with six bytes
			text = text[:min(len(text), limit/6-20)]
		}
		quoted, _ := jsontext.AppendQuote(nil, text) // it fails only for invalid UTF-8
		all[i] = fmt.Appendf(nil, `{"p%d":%s}`, i, quoted)
	}
	return all
}

// filler returns one repeated character, which JSON may have to escape. Its length is size, rounded down to an even
// number of bytes so that no character is cut.
func (s Source) filler(size int) string {
	return strings.Repeat(pick(s, "x", `"`, `\`, "<", "é"), size)[:size/2*2]
}
