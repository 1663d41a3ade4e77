package v1alpha3

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
)

// The native readings are what drivers and schedulers see. The laws cannot hold them, for what one of them leaves out is
// left over and comes back; so each row of the tables in allocation_up.go and allocation_down.go, and each limit, is here.
func TestNativeAllocationUp(t *testing.T) {
	const data = `{"driverName":"e","data":"x"}`
	structured := func(driver, node, class, claim, results string) string {
		return fmt.Sprintf(`{"driverName":%q,"structuredData":{"nodeName":%q,"vendorClassParameters":%s,"vendorClaimParameters":%s,"results":[%s]}}`, driver, node, class, claim, results)
	}
	named := func(name, parameters string) string {
		return fmt.Sprintf(`{"namedResources":{"name":%q},"vendorRequestParameters":%s}`, name, parameters)
	}
	times := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	numbered := func(n int, driver string) string {
		var handles []string
		for i := range n {
			handles = append(handles, structured(driver, "n", fmt.Sprintf(`{"n":%d}`, i), "null", ""))
		}
		return strings.Join(handles, ",")
	}
	for name, test := range map[string]struct {
		driver, handles string
		request         string
		controller      string
		results, config []string
	}{
		"no handles":              {"d", "", "r", "d", []string{"d claimbridge.dev none"}, nil},
		"no handles of no driver": {"", "", "r", "", nil, nil},
		"no request":              {"d", data, "", "d", nil, nil},
		"data":                    {"d", data, "r", "d", []string{"e claimbridge.dev handle-0"}, []string{"FromClass claimbridge.dev ResourceHandle e handle-0"}},
		"a handle without data":   {"d", `{"driverName":"e"}`, "r", "d", []string{"e claimbridge.dev handle-0"}, nil},
		"the claim's own driver":  {"d", `{"data":"x"}`, "r", "d", []string{"d claimbridge.dev handle-0"}, []string{"FromClass claimbridge.dev ResourceHandle d handle-0"}},
		"too much data":           {"d", `{"driverName":"e","data":"` + strings.Repeat("x", 16385) + `"}`, "r", "d", []string{"e claimbridge.dev handle-0"}, nil},
		"as much data as may be": {"d", `{"driverName":"e","data":"` + strings.Repeat("x", 16384) + `"}`, "r", "d", []string{"e claimbridge.dev handle-0"},
			[]string{"FromClass claimbridge.dev ResourceHandle e handle-0"}},
		"data for a driver that is none":    {"d", `{"driverName":"-","data":"x"}`, "r", "d", []string{"- claimbridge.dev handle-0"}, nil},
		"data in our own name":              {names.Domain, `{"driverName":"claimbridge.dev","data":"x"}`, "r", "", nil, nil},
		"structured data in our own name":   {names.Domain, structured(names.Domain, "n", `{"a":1}`, "null", named("x", "null")), "r", "", nil, nil},
		"structured data":                   {"d", structured("e", "n", `{"a":1}`, `{"b":1}`, named("x", `{"c":1}`)), "r", "", []string{"e n x"}, []string{`FromClass e {"a":1}`, `FromClaim e {"b":1}`, `FromClaim e {"c":1} r`}},
		"structured data of no node":        {"d", structured("e", "", "null", "null", named("x", "null")), "r", "", []string{"e claimbridge.dev x"}, nil},
		"structured data beside other data": {"d", data + "," + structured("e", "n", "null", "null", named("x", "null")), "r", "d", []string{"e claimbridge.dev handle-0", "e n x"}, []string{"FromClass claimbridge.dev ResourceHandle e handle-0"}},
		"a resource that is no label":       {"d", structured("e", "n", "null", "null", named("a.b", "null")), "r", "", []string{"e n handle-0-0"}, nil},
		"a resource without a name":         {"d", structured("e", "n", "null", "null", `{}`), "r", "", []string{"e n handle-0-0"}, nil},
		"the same parameters twice":         {"d", times(2, structured("e", "n", `{"a":1}`, "null", "")), "r", "", nil, []string{`FromClass e {"a":1}`}},
		"the same of two drivers":           {"d", structured("e", "n", `{"a":1}`, "null", "") + "," + structured("f", "n", `{"a":1}`, "null", ""), "r", "", nil, []string{`FromClass e {"a":1}`, `FromClass f {"a":1}`}},
		"two of one driver":                 {"d", structured("e", "n", `{"a":1}`, "null", "") + "," + structured("e", "n", `{"a":2}`, "null", ""), "r", "", nil, []string{`FromClass e {"a":1}`, `FromClass e {"a":2}`}},
		"parameters that are no object":     {"d", structured("e", "n", `[1]`, "null", ""), "r", "", nil, nil},
		"parameters that look like ours":    {"d", structured("e", "n", `{"apiVersion":"claimbridge.dev/v1","kind":"ResourceHandle"}`, "null", ""), "r", "", nil, nil},
		"parameters of no driver":           {"", structured("", "n", `{"a":1}`, "null", ""), "r", "", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var old v1alpha2.ResourceClaimStatus
			if err := json.Unmarshal(fmt.Appendf(nil, `{"driverName":%q,"allocation":{"resourceHandles":[%s]}}`, test.driver, test.handles), &old); err != nil {
				t.Fatal(err)
			}
			got, _ := nativeAllocationUp(&old, test.request)
			if got.Controller != test.controller {
				t.Errorf("controller %q, want %q", got.Controller, test.controller)
			}
			if diff := cmp.Diff(test.results, resultsOf(got)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.config, configOf(got)); diff != "" {
				t.Errorf("configuration (-want +got):\n%s", diff)
			}
		})
	}
	for name, test := range map[string]struct {
		handles         string
		results, config int
	}{
		"32 results":                        {times(32, `{"driverName":"e"}`), 32, 0},
		"a result too many":                 {times(33, `{"driverName":"e"}`), 32, 0},
		"as many entries as leave a place":  {numbered(63, "e"), 0, 63},
		"an entry too many":                 {numbered(64, "e"), 0, 63},
		"two entries too many, of one kind": {numbered(65, "e"), 0, 63},
	} {
		t.Run(name, func(t *testing.T) {
			var old v1alpha2.ResourceClaimStatus
			if err := json.Unmarshal([]byte(`{"driverName":"d","allocation":{"resourceHandles":[`+test.handles+`]}}`), &old); err != nil {
				t.Fatal(err)
			}
			a, _ := nativeAllocationUp(&old, "r")
			d := a.Devices
			if len(d.Results) != test.results || len(d.Config) != test.config {
				t.Errorf("%d results, %d entries", len(d.Results), len(d.Config))
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

func configOf(a *v1alpha3.AllocationResult) (all []string) {
	for _, c := range a.Devices.Config {
		says := string(c.Opaque.Parameters.Raw)
		if h := AsResourceHandle(&c); h != nil {
			says = h.Kind + " " + h.Driver + " " + h.Device
		}
		all = append(all, strings.TrimSpace(fmt.Sprint(c.Source, " ", c.Opaque.Driver, " ", says, " ", strings.Join(c.Requests, ","))))
	}
	return all
}

func TestNativeAllocationDown(t *testing.T) {
	const handle = `{"source":"FromClass","opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","data":"%s","device":"handle-0","driver":"d","kind":"ResourceHandle"}}}`
	result := func(driver, pool, device string) string {
		return fmt.Sprintf(`{"request":"r","driver":%q,"pool":%q,"device":%q}`, driver, pool, device)
	}
	entry := func(source, driver, parameters, requests string) string {
		return fmt.Sprintf(`{"source":%q,"requests":[%s],"opaque":{"driver":%q,"parameters":%s}}`, source, requests, driver, parameters)
	}
	none, gpu, other := result("d", names.Domain, deviceNone), result("d", "n", "gpu-0"), result("d", "m", "gpu-1")
	for name, test := range map[string]struct {
		controller, results, config string
		fragment                    bool
		driver                      string
		handles                     []string
	}{
		"a controller":                    {controller: "c", results: gpu, driver: "c", handles: []string{"d n [gpu-0]"}},
		"the driver of the first result":  {results: gpu, driver: "d", handles: []string{"d n [gpu-0]"}},
		"no result":                       {driver: names.Domain},
		"no result in a fragment":         {fragment: true},
		"no device":                       {results: none, driver: "d"},
		"no device of another driver":     {controller: "c", results: none, driver: "c", handles: []string{"d  [none]"}},
		"no device beside another":        {results: none + "," + gpu, driver: "d", handles: []string{"d  [none]", "d n [gpu-0]"}},
		"none in a pool":                  {results: result("d", "n", deviceNone), driver: "d", handles: []string{"d n [none]"}},
		"a device of ours":                {results: result("d", names.Domain, "gpu-0"), driver: "d", handles: []string{"d  [gpu-0]"}},
		"a handle":                        {results: result("d", names.Domain, "handle-0"), config: fmt.Sprintf(handle, "x"), driver: "d", handles: []string{"d =x"}},
		"a handle that has data twice":    {results: result("d", names.Domain, "handle-0"), config: fmt.Sprintf(handle, "x") + "," + fmt.Sprintf(handle, "y"), driver: "d", handles: []string{"d =x"}},
		"a handle of another driver":      {results: result("e", names.Domain, "handle-0"), config: fmt.Sprintf(handle, "x"), driver: "e", handles: []string{"e ="}},
		"a device of that name elsewhere": {results: result("d", "n", "handle-0"), driver: "d", handles: []string{"d n [handle-0]"}},
		"a pool of several segments":      {results: result("d", "a/b", "x"), driver: "d", handles: []string{"d  [x]"}},
		"two pools share parameters":      {results: gpu + "," + other, config: entry("FromClass", "d", `{"a":1}`, ""), driver: "d", handles: []string{`d n class{"a":1} [gpu-0]`, "d m [gpu-1]"}},
		"two results share parameters":    {results: gpu + "," + gpu, config: entry("FromClaim", "d", `{"a":1}`, `"r"`), driver: "d", handles: []string{`d n [gpu-0{"a":1} gpu-0]`}},
		"parameters of a claim":           {results: gpu, config: entry("FromClaim", "d", `{"a":1}`, ""), driver: "d", handles: []string{`d n claim{"a":1} [gpu-0]`}},
		"parameters of another driver":    {results: gpu, config: entry("FromClaim", "e", `{"a":1}`, ""), driver: "d", handles: []string{"d n [gpu-0]"}},
		"parameters twice":                {results: gpu, config: entry("FromClaim", "d", `{"a":1}`, "") + "," + entry("FromClaim", "d", `{"a":2}`, ""), driver: "d", handles: []string{"d n [gpu-0]"}},
		"parameters for two requests":     {results: gpu, config: entry("FromClaim", "d", `{"a":1}`, `"r","s"`), driver: "d", handles: []string{"d n [gpu-0]"}},
		"parameters for another request":  {results: gpu, config: entry("FromClaim", "d", `{"a":1}`, `"s"`), driver: "d", handles: []string{"d n [gpu-0]"}},
		"parameters that are no object":   {results: gpu, config: entry("FromClaim", "d", `[1]`, ""), driver: "d", handles: []string{"d n [gpu-0]"}},
		"parameters that look like ours":  {results: gpu, config: entry("FromClaim", "d", `{"apiVersion":"claimbridge.dev/v1","kind":"X"}`, ""), driver: "d", handles: []string{"d n [gpu-0]"}},
		"parameters in our own name":      {results: result(names.Domain, "n", "x"), config: entry("FromClaim", names.Domain, `{"a":1}`, ""), driver: names.Domain, handles: []string{"claimbridge.dev n [x]"}},
		"parameters of no driver":         {results: result("", "n", "x"), config: entry("FromClaim", "", `{"a":1}`, ""), driver: names.Domain, handles: []string{" n [x]"}},
		"an entry that is not opaque":     {results: gpu, config: `{"source":"FromClass"}`, driver: "d", handles: []string{"d n [gpu-0]"}},
	} {
		t.Run(name, func(t *testing.T) {
			var new v1alpha3.AllocationResult
			if err := json.Unmarshal(fmt.Appendf(nil, `{"controller":%q,"devices":{"results":[%s],"config":[%s]}}`, test.controller, test.results, test.config), &new); err != nil {
				t.Fatal(err)
			}
			got := nativeAllocationDown(&new, nil, !test.fragment)
			if got.DriverName != test.driver || got.Allocation.Shareable == test.fragment {
				t.Errorf("driver %q, want %q; shareable: %v", got.DriverName, test.driver, got.Allocation.Shareable)
			}
			if diff := cmp.Diff(test.handles, handlesSay(got.Allocation.ResourceHandles)); diff != "" {
				t.Errorf("handles (-want +got):\n%s", diff)
			}
		})
	}
}

func handlesSay(handles []v1alpha2.ResourceHandle) (all []string) {
	for _, h := range handles {
		s := h.StructuredData
		if s == nil {
			all = append(all, h.DriverName+" ="+h.Data)
			continue
		}
		says := h.DriverName + " " + s.NodeName
		if p := s.VendorClassParameters.Raw; p != nil {
			says += " class" + string(p)
		}
		if p := s.VendorClaimParameters.Raw; p != nil {
			says += " claim" + string(p)
		}
		var devices []string
		for _, r := range s.Results {
			devices = append(devices, r.NamedResources.Name+string(r.VendorRequestParameters.Raw))
		}
		all = append(all, fmt.Sprintf("%s %v", says, devices))
	}
	return all
}
