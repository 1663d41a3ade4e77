package objects

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// Big is a claim of a version whose allocation is near every limit: as many pools, handles, results and entries as the
// version allows, with parameters of about so many bytes in sum, which drivers, pools and requests share. Its spec is what
// a class becomes.
func (s Source) Big(version string, size int) runtime.Object {
	tm := metav1.TypeMeta{APIVersion: Group + "/" + version, Kind: "ResourceClaim"}
	meta := s.meta()
	switch version {
	case "v1alpha1":
		claim := &v1alpha1.ResourceClaim{TypeMeta: tm, ObjectMeta: meta, Spec: v1alpha1.ResourceClaimSpec{ResourceClassName: "gpu"}}
		claim.Status = v1alpha1.ResourceClaimStatus{DriverName: "gpu.example.com", Allocation: &v1alpha1.AllocationResult{
			ResourceHandle: s.filler(min(size, v1alpha1.ResourceHandleMaxSize)),
		}}
		return claim
	case "v1alpha2":
		claim := &v1alpha2.ResourceClaim{TypeMeta: tm, ObjectMeta: meta, Spec: v1alpha2.ResourceClaimSpec{ResourceClassName: "gpu"}}
		claim.Status = v1alpha2.ResourceClaimStatus{DriverName: "gpu.example.com", Allocation: s.bigHandles(size)}
		return claim
	case "v1alpha3":
		claim := &v1alpha3.ResourceClaim{TypeMeta: tm, ObjectMeta: meta}
		names := []string{"claim"}
		if s.some(2) {
			names = []string{"a", "b", "c"}
		}
		for _, name := range names {
			claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, v1alpha3.DeviceRequest{
				Name: name, DeviceClassName: "gpu", AllocationMode: v1alpha3.DeviceAllocationModeExactCount, Count: 1,
			})
		}
		claim.Status.Allocation = s.bigResults(size, names)
		return claim
	}
	panic("objects: no big claim of " + version)
}

var bigDrivers = []string{"gpu.example.com", "nic.example.com", "fpga.example.com"}

func (s Source) bigResults(size int, requests []string) *v1alpha3.AllocationResult {
	a := &v1alpha3.AllocationResult{}
	drivers := bigDrivers[:1+s.IntN(len(bigDrivers))]
	for i := range s.upTo(v1alpha3.AllocationResultsMaxSize) {
		a.Devices.Results = append(a.Devices.Results, v1alpha3.DeviceRequestAllocationResult{
			Request: pick(s, requests...), Driver: pick(s, drivers...), Device: fmt.Sprintf("gpu-%d", i),
			Pool: pick(s, fmt.Sprintf("node-%d", i), "node", "rack/node-1"),
		})
	}
	entries := s.upTo(v1alpha3.AllocationConfigMaxSize)
	parameters := s.shared(entries, size)
	for i := range entries {
		c := v1alpha3.DeviceAllocationConfiguration{
			Source: pick(s, v1alpha3.AllocationConfigSourceClass, v1alpha3.AllocationConfigSourceClaim),
			DeviceConfiguration: v1alpha3.DeviceConfiguration{Opaque: &v1alpha3.OpaqueDeviceConfiguration{
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
	parameters := s.shared(handles, size)
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

// shared are n parameters, of so many bytes in sum, of which some are the same.
func (s Source) shared(n, size int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		if i > 0 && s.some(2) {
			all[i] = bytes.Clone(all[s.IntN(i)])
			continue
		}
		text := s.filler(max(size/n-20, 0) / 2)
		quoted, _ := jsontext.AppendQuote(nil, text) // a string of UTF-8 always can be
		all[i] = fmt.Appendf(nil, `{"p%d":%s}`, i, quoted)
	}
	return all
}

// filler is text of so many bytes, some of which JSON writes with as many escapes as it can.
func (s Source) filler(size int) string {
	return strings.Repeat(pick(s, "x", `"`, `\`, "<", "é"), size)[:size/2*2]
}
