package hub

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/test/objects"
)

// Drivers and schedulers see the visible part of an allocation. The property tests cannot check it: data that it lacks
// is preserved. So each row of the tables in v1alpha2_to_v1alpha3.go and v1alpha3_to_v1alpha2.go, and each limit, has a
// case here.
func TestV1alpha2AllocationToV1alpha3(t *testing.T) {
	for name, test := range objects.Cases[struct {
		Driver          string
		Handles         []v1alpha2.ResourceHandle
		NoRequest       bool
		Controller      string
		Results, Config []string
	}](t, "testdata/v1alpha2_to_v1alpha3.yaml") {
		t.Run(name, func(t *testing.T) {
			request := "r"
			if test.NoRequest {
				request = ""
			}
			old := v1alpha2.ResourceClaimStatus{
				DriverName: test.Driver,
				Allocation: &v1alpha2.AllocationResult{ResourceHandles: test.Handles},
			}
			got := v1alpha2AllocationToV1alpha3(&old, request)
			if got.Controller != test.Controller {
				t.Errorf("controller %q, want %q", got.Controller, test.Controller)
			}
			if diff := cmp.Diff(test.Results, resultsOf(got)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.Config, configLines(got)); diff != "" {
				t.Errorf("configuration (-want +got):\n%s", diff)
			}
		})
	}
}

func resultsOf(a *v1alpha3.AllocationResult) (all []string) {
	for _, r := range a.Devices.Results {
		all = append(all, r.Driver+" "+r.Pool+" "+r.Device)
	}
	return all
}

func configLines(a *v1alpha3.AllocationResult) (all []string) {
	for _, c := range a.Devices.Config {
		says := string(c.Opaque.Parameters.Raw)
		if h := readResourceHandleEntry(&c); h != nil {
			says = h.Kind + " " + h.Driver + " " + h.Device
		}
		all = append(all,
			strings.TrimSpace(fmt.Sprint(c.Source, " ", c.Opaque.Driver, " ", says, " ",
				strings.Join(c.Requests, ","))))
	}
	return all
}

func TestV1alpha3AllocationToV1alpha2(t *testing.T) {
	for name, test := range objects.Cases[struct {
		Controller string
		Results    []string // driver, pool, device
		Config     []v1alpha3.DeviceAllocationConfiguration
		Fragment   bool
		Driver     string
		Handles    []string
	}](t, "testdata/v1alpha3_to_v1alpha2.yaml") {
		t.Run(name, func(t *testing.T) {
			new := v1alpha3.AllocationResult{Controller: test.Controller}
			new.Devices.Config = test.Config
			for _, result := range test.Results {
				fields := strings.Split(result, " ")
				new.Devices.Results = append(new.Devices.Results, v1alpha3.DeviceRequestAllocationResult{
					Request: "r", Driver: fields[0], Pool: fields[1], Device: fields[2],
				})
			}
			got := v1alpha3AllocationToV1alpha2(&new, Options{IsFragment: test.Fragment})
			if got.DriverName != test.Driver || got.Allocation.Shareable == test.Fragment {
				t.Errorf("driver %q, want %q; shareable: %v", got.DriverName, test.Driver, got.Allocation.Shareable)
			}
			if diff := cmp.Diff(test.Handles, handleSummaries(got.Allocation.ResourceHandles)); diff != "" {
				t.Errorf("handles (-want +got):\n%s", diff)
			}
		})
	}
}

func handleSummaries(handles []v1alpha2.ResourceHandle) (all []string) {
	for _, h := range handles {
		s := h.StructuredData
		if s == nil {
			all = append(all, h.DriverName+" ="+h.Data)
			continue
		}
		summary := h.DriverName + " " + s.NodeName
		if p := s.VendorClassParameters.Raw; p != nil {
			summary += " class" + string(p)
		}
		if p := s.VendorClaimParameters.Raw; p != nil {
			summary += " claim" + string(p)
		}
		var devices []string
		for _, r := range s.Results {
			devices = append(devices, r.NamedResources.Name+string(r.VendorRequestParameters.Raw))
		}
		all = append(all, fmt.Sprintf("%s %v", summary, devices))
	}
	return all
}
