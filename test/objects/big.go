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

// Big is a claim of a version whose allocation is near every limit: as many pools, handles, results and entries as the
// version allows, with parameters of about so many bytes in sum, which drivers, pools and requests share. Its spec is what
// a class becomes.
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
	case "v1alpha3":
		spec := bigSpec(s.bigNames())
		w.Spec, w.Status = toV1beta1(spec), v1.ResourceClaimStatus{Allocation: s.bigResults(size, math.MaxInt, spec)}
	default:
		spec := bigSpec(s.bigNames())
		w.Spec, w.Status = inVersion(version, spec), s.bigStatus(size, spec)
	}
	return w.object(version, api.KindClaim)
}

var bigDrivers = []string{"gpu.example.com", "nic.example.com", "fpga.example.com"}

func (s Source) bigNames() []string {
	if s.some(2) {
		return []string{"a", "b", "c"}
	}
	return []string{"claim"}
}

func bigSpec(names []string) (spec v1.ResourceClaimSpec) {
	for _, name := range names {
		spec.Devices.Requests = append(spec.Devices.Requests, v1.DeviceRequest{Name: name, Exactly: &v1.ExactDeviceRequest{
			DeviceClassName: "gpu", AllocationMode: v1.DeviceAllocationModeExactCount, Count: 1,
		}})
	}
	return spec
}

// maxParameters in bytes of one driver, from 1.32 on.
const maxParameters = 10 << 10

// bigStatus of v1: sometimes half of it is what drivers report.
func (s Source) bigStatus(size int, spec v1.ResourceClaimSpec) v1.ResourceClaimStatus {
	if s.some(2) {
		return v1.ResourceClaimStatus{Allocation: s.bigResults(size, maxParameters, spec)}
	}
	a := s.bigResults(size/2, maxParameters, spec)
	status := v1.ResourceClaimStatus{Allocation: a}
	data := s.shared(len(a.Devices.Results), size/2, maxParameters)
	for i, r := range a.Devices.Results {
		d := v1.AllocatedDeviceStatus{Driver: r.Driver, Pool: r.Pool, Device: r.Device, Data: &runtime.RawExtension{Raw: data[i]}}
		if r.ShareID != nil {
			d.ShareID = new(string(*r.ShareID))
		}
		status.Devices = append(status.Devices, d)
	}
	return status
}

// bigResults have parameters of about so many bytes in sum, and at most so many in one entry.
func (s Source) bigResults(size, most int, spec v1.ResourceClaimSpec) *v1.AllocationResult {
	a := &v1.AllocationResult{}
	requests := references(spec)
	drivers := bigDrivers[:1+s.IntN(len(bigDrivers))]
	for i := range s.upTo(v1.AllocationResultsMaxSize) {
		r := v1.DeviceRequestAllocationResult{
			Request: pick(s, requests...), Driver: pick(s, drivers...), Device: fmt.Sprintf("gpu-%d", i),
			Pool: pick(s, fmt.Sprintf("node-%d", i), "node", "rack/node-1"),
		}
		if most == maxParameters && s.some(4) {
			r.ShareID = new(s.uuid())
		}
		a.Devices.Results = append(a.Devices.Results, r)
	}
	entries := s.upTo(v1.AllocationConfigMaxSize)
	parameters := s.shared(entries, size, most)
	for i := range entries {
		c := v1.DeviceAllocationConfiguration{
			Source: pick(s, v1.AllocationConfigSourceClass, v1.AllocationConfigSourceClaim),
			DeviceConfiguration: v1.DeviceConfiguration{Opaque: &v1.OpaqueDeviceConfiguration{
				Driver: pick(s, drivers...), Parameters: runtime.RawExtension{Raw: parameters[i]},
			}},
		}
		if s.some(2) {
			c.Requests = requests[:1+s.IntN(len(requests))]
		}
		a.Devices.Config = append(a.Devices.Config, c)
	}
	return a
}

func (s Source) bigHandles(size int) *v1alpha2.AllocationResult {
	a := &v1alpha2.AllocationResult{Shareable: true}
	handles := s.upTo(v1alpha2.AllocationResultResourceHandlesMaxSize)
	parameters := s.shared(handles, size, math.MaxInt)
	for i := range handles {
		h := v1alpha2.ResourceHandle{DriverName: pick(s, bigDrivers...)}
		if s.some(3) {
			h.Data = s.filler(min(size/handles, v1alpha2.ResourceHandleDataMaxSize))
		} else {
			r := v1alpha2.DriverAllocationResult{}
			r.NamedResources = &v1alpha2.NamedResourcesAllocationResult{Name: fmt.Sprintf("gpu-%d", i)}
			h.StructuredData = &v1alpha2.StructuredResourceHandle{NodeName: pick(s, "node", fmt.Sprintf("node-%d", i))}
			into := pick(s, &h.StructuredData.VendorClassParameters, &h.StructuredData.VendorClaimParameters, &r.VendorRequestParameters)
			into.Raw = parameters[i]
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
