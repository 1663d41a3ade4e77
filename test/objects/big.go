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

// Big is a claim of a version whose allocation is near every limit: as many pools, handles, results
// and entries as the version allows, with parameters of about so many bytes in sum, which drivers,
// pools and requests share. Its spec is what a class becomes.
func (s Source) Big(version string, size int) runtime.Object {
	w := whole{ObjectMeta: s.meta()}
	switch version {
	case "v1alpha1":
		w.Spec = v1alpha2.ResourceClaimSpec{ResourceClassName: "gpu"}
		w.Status = v1alpha1.ResourceClaimStatus{DriverName: "gpu.example.com", Allocation: &v1alpha1.AllocationResult{
			ResourceHandle: s.filler(min(size, v1alpha1.ResourceHandleMaxSize)),
		}}
	case "v1alpha2":
		w.Spec = v1alpha2.ResourceClaimSpec{ResourceClassName: "gpu"}
		w.Status = v1alpha2.ResourceClaimStatus{DriverName: "gpu.example.com", Allocation: s.bigHandles(size)}
	default:
		spec := s.bigSpec()
		w.Spec, w.Status = inVersion(version, spec), s.bigStatus(version, size, spec)
	}
	return w.object(version, api.KindClaim)
}

func (s Source) bigSpec() (spec v1.ResourceClaimSpec) {
	for _, name := range pick(s, []string{"claim"}, []string{"a", "b", "c"}) {
		spec.Devices.Requests = append(spec.Devices.Requests,
			v1.DeviceRequest{Name: name, Exactly: &v1.ExactDeviceRequest{
				DeviceClassName: "gpu", AllocationMode: v1.DeviceAllocationModeExactCount, Count: 1,
			}})
	}
	return spec
}

// bigStatus with parameters of about so many bytes in sum; sometimes half of them are what drivers report.
func (s Source) bigStatus(version string, size int, spec v1.ResourceClaimSpec) v1.ResourceClaimStatus {
	most := 10 << 10 // of one driver
	if version == "v1alpha3" {
		s, most = s.until(31), math.MaxInt
	}
	a := &v1.AllocationResult{}
	status := v1.ResourceClaimStatus{Allocation: a}
	requests := references(spec)
	for i := range s.upTo(v1.AllocationResultsMaxSize) {
		r := s.result(pick(s, requests...))
		r.Device = fmt.Sprintf("gpu-%d", i)
		a.Devices.Results = append(a.Devices.Results, r)
	}
	if s.since(32) && s.some(2) {
		size /= 2
		status.Devices = s.reported(a.Devices.Results)
		for i, data := range s.shared(len(status.Devices), size, most) {
			status.Devices[i].Data = &runtime.RawExtension{Raw: data}
		}
	}
	for _, parameters := range s.shared(s.upTo(v1.AllocationConfigMaxSize), size, most) {
		c := v1.DeviceAllocationConfiguration{
			Source:   pick(s, v1.AllocationConfigSourceClass, v1.AllocationConfigSourceClaim),
			Requests: s.someOf(requests), DeviceConfiguration: s.opaque(),
		}
		c.Opaque.Parameters.Raw = parameters
		a.Devices.Config = append(a.Devices.Config, c)
	}
	return status
}

func (s Source) bigHandles(size int) *v1alpha2.AllocationResult {
	a := &v1alpha2.AllocationResult{Shareable: true}
	handles := s.upTo(v1alpha2.AllocationResultResourceHandlesMaxSize)
	for i, parameters := range s.shared(handles, size, math.MaxInt) {
		h := v1alpha2.ResourceHandle{DriverName: s.driver()}
		if s.some(3) {
			h.Data = s.filler(min(size/handles, v1alpha2.ResourceHandleDataMaxSize))
		} else {
			r := v1alpha2.DriverAllocationResult{}
			r.NamedResources = &v1alpha2.NamedResourcesAllocationResult{Name: fmt.Sprintf("gpu-%d", i)}
			h.StructuredData = &v1alpha2.StructuredResourceHandle{NodeName: pick(s, "node", fmt.Sprintf("node-%d", i))}
			into := pick(s, &h.StructuredData.VendorClassParameters, &h.StructuredData.VendorClaimParameters,
				&r.VendorRequestParameters)
			into.Raw = parameters
			h.StructuredData.Results = []v1alpha2.DriverAllocationResult{r}
		}
		a.ResourceHandles = append(a.ResourceHandles, h)
	}
	return a
}

// upTo is the most, or any number up to it.
func (s Source) upTo(most int) int {
	if s.some(2) {
		return most
	}
	return 1 + s.IntN(most)
}

// shared are n parameters, of so many bytes in sum and at most so many each, of which some are the same.
func (s Source) shared(n, size, most int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		if i > 0 && s.some(2) {
			all[i] = bytes.Clone(all[s.IntN(i)])
			continue
		}
		text := s.filler(max(min(size/n, most)-20, 0) / 2)
		if strings.HasPrefix(text, "<") { // for an API server, which escapes it, that is six bytes
			text = text[:min(len(text), most/6-20)]
		}
		quoted, _ := jsontext.AppendQuote(nil, text) // a string of UTF-8 always can be
		all[i] = fmt.Appendf(nil, `{"p%d":%s}`, i, quoted)
	}
	return all
}

// filler is text of so many bytes, some of which JSON writes with as many escapes as it can.
func (s Source) filler(size int) string {
	return strings.Repeat(pick(s, "x", `"`, `\`, "<", "é"), size)[:size/2*2]
}
