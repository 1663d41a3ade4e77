package hub

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
)

// entryFrom returns an entry of an allocation's configuration.
func entryFrom(source v1alpha3.AllocationConfigSource, driver, parameters string,
	requests ...string,
) v1alpha3.DeviceAllocationConfiguration {
	return v1alpha3.DeviceAllocationConfiguration{
		Source: source, Requests: requests,
		DeviceConfiguration: v1alpha3.DeviceConfiguration{
			Opaque: &v1alpha3.OpaqueDeviceConfiguration{
				Driver:     driver,
				Parameters: runtime.RawExtension{Raw: []byte(parameters)},
			},
		},
	}
}

// An entry represents the data of a handle only if a conversion would have written it. Other entries are ordinary
// configuration.
func TestOnlyExactHandleEntriesAreRestored(t *testing.T) {
	const honest = `{"apiVersion":"claimbridge.dev/v1","data":"x","device":"handle-0","driver":"d",` +
		`"kind":"ResourceHandle"}`
	but := func(old, new string) v1alpha3.DeviceAllocationConfiguration {
		return entryFrom("FromClass", names.Domain, strings.Replace(honest, old, new, 1))
	}
	for name, test := range map[string]struct {
		entry v1alpha3.DeviceAllocationConfiguration
		want  bool
	}{
		"as the conversion writes it": {but("", ""), true},
		"of a claim":                  {entryFrom("FromClaim", names.Domain, honest), false},
		"for one request":             {entryFrom("FromClass", names.Domain, honest, "r"), false},
		"under a driver's own name":   {entryFrom("FromClass", "d", honest), false},
		"that is not opaque":          {v1alpha3.DeviceAllocationConfiguration{Source: "FromClass"}, false},
		"of another kind":             {but(`"ResourceHandle"`, `"ClassicAllocation"`), false},
		"of another API version":      {but(`dev/v1"`, `dev/v2"`), false},
		"with another member":         {but(`{`, `{"more":1,`), false},
		"with a duplicate kind":       {but(`{`, `{"kind":"ResourceHandle",`), false},
		"in escapes":                  {but(`"kind"`, `"\u006bind"`), true},
		"without data":                {but(`"data":"x"`, `"data":""`), false},
		"with as much data as may be": {but(`"data":"x"`, `"data":"`+strings.Repeat("x", 16384)+`"`), true},
		"with more data":              {but(`"data":"x"`, `"data":"`+strings.Repeat("x", 16385)+`"`), false},
		"for an invalid driver":       {but(`"driver":"d"`, `"driver":"-"`), false},
		"for claimbridge.dev":         {but(`"driver":"d"`, `"driver":"claimbridge.dev"`), false},
		"for a driver's own device":   {but(`handle-0`, `gpu-0`), false},
	} {
		if ok := readResourceHandleEntry(&test.entry) != nil; ok != test.want {
			t.Errorf("%s: used: %v, want %v", name, ok, test.want)
		}
	}
}

// An entry of an allocation is used only for the allocation that it was written for, if it is not empty, and if
// v1alpha2 accepts its content.
func TestOnlyExactAllocationEntriesAreRestored(t *testing.T) {
	rest := &v1alpha3.AllocationResult{Controller: "d"}
	rest.Devices.Results = []v1alpha3.DeviceRequestAllocationResult{
		{Request: "claim", Driver: "d", Pool: names.Domain, Device: "handle-0"},
	}
	digest := Digest(rest)
	parameters := func(says string) string {
		return `{"apiVersion":"claimbridge.dev/v1","digest":"` + digest + `","kind":"ClassicAllocation"` + says + `}`
	}
	entry := func(says string) v1alpha3.DeviceAllocationConfiguration {
		return entryFrom("FromClass", names.Domain, parameters(says))
	}
	handle := func(says string) v1alpha3.DeviceAllocationConfiguration {
		return entry(`,"handles":[{"native":0},{"item":{"driverName":"e",` + says + `}}]`)
	}
	const structured = `"structuredData":{"nodeName":"n","results":[{"namedResources":{"name":"g"}}]}`
	honest := parameters(`,"shareable":false`)
	for name, test := range map[string]struct {
		entry  v1alpha3.DeviceAllocationConfiguration
		isUsed bool
	}{
		"that it is not shareable":     {entry(`,"shareable":false`), true},
		"that it is shareable":         {entry(`,"shareable":true`), false},
		"nothing":                      {entry(``), false},
		"something unknown":            {entry(`,"shareable":false,"more":1`), false},
		"another driver":               {entry(`,"driverName":"e"`), true},
		"no driver":                    {entry(`,"driverName":""`), true},
		"an invalid driver":            {entry(`,"driverName":"-"`), false},
		"the driver that is visible":   {entry(`,"driverName":"d","shareable":false`), false},
		"another handle":               {handle(`"data":"y"`), true},
		"the handles that are visible": {entry(`,"handles":[{"native":0}]`), false},
		"no handles":                   {entry(`,"handles":[]`), true},
		"an index without a handle":    {entry(`,"handles":[{"native":1}]`), false},
		"too many handles": {
			entry(`,"handles":[` + strings.Repeat(`{"native":0},`, 32) + `{"native":0}]`),
			false,
		},
		"a handle of an invalid driver": {entry(`,"handles":[{"native":0},{"item":{"driverName":"-"}}]`), false},
		"as much data as may be":        {handle(`"data":"` + strings.Repeat("x", 16384) + `"`), true},
		"more data":                     {handle(`"data":"` + strings.Repeat("x", 16385) + `"`), false},
		"structured data":               {handle(structured), true},
		"data and structured data":      {handle(`"data":"x",` + structured), false},
		"an invalid node":               {handle(strings.Replace(structured, `"n"`, `"-"`, 1)), false},
		"an invalid device":             {handle(strings.Replace(structured, `"g"`, `"-"`, 1)), false},
		"a result of no model": {
			handle(strings.Replace(structured, `"namedResources":{"name":"g"}`, "", 1)),
			false,
		},
		"an entry of another allocation": {
			entryFrom("FromClass", names.Domain, strings.Replace(honest, digest, "00", 1)),
			false,
		},
		"an entry from a claim":       {entryFrom("FromClaim", names.Domain, honest), false},
		"an entry for one request":    {entryFrom("FromClass", names.Domain, honest, "claim"), false},
		"an entry of another driver":  {entryFrom("FromClass", "d", honest), false},
		"an entry that is not opaque": {v1alpha3.DeviceAllocationConfiguration{Source: "FromClass"}, false},
	} {
		stored := *rest
		stored.Devices.Config = []v1alpha3.DeviceAllocationConfiguration{test.entry}
		if got, _ := findClassicAllocationEntry(&stored, Options{}); (got != nil) != test.isUsed {
			t.Errorf("%s: used: %v, want %v", name, got != nil, test.isUsed)
		}
	}
}

// The same applies to the entry of a spec.
func TestOnlyExactSpecEntriesAreRestored(t *testing.T) {
	const honest = `{"allocationMode":"Immediate","apiVersion":"claimbridge.dev/v1","kind":"ClassicClaimSpec"}`
	for name, test := range map[string]struct {
		entry v1alpha3.DeviceAllocationConfiguration
		want  bool
	}{
		"as the conversion writes it": {entryFrom("", names.Domain, honest), true},
		"for one request":             {entryFrom("", names.Domain, honest, "r"), false},
		"under a driver's own name":   {entryFrom("", "d", honest), false},
		"of another kind": {
			entryFrom("", names.Domain, strings.Replace(honest, "ClassicClaimSpec", "ClassicAllocation", 1)),
			false,
		},
		"that says the default": {
			entryFrom("", names.Domain, strings.Replace(honest, "Immediate", "WaitForFirstConsumer", 1)),
			false,
		},
		"with another member": {
			entryFrom("", names.Domain, strings.Replace(honest, "{", `{"more":1,`, 1)),
			false,
		},
		"that is not opaque": {v1alpha3.DeviceAllocationConfiguration{}, false},
	} {
		config := []v1alpha3.DeviceClaimConfiguration{
			{Requests: test.entry.Requests, DeviceConfiguration: test.entry.DeviceConfiguration},
		}
		got, at := findClassicSpecEntry(config, Options{})
		if (got != nil) != test.want || (at == 0) != test.want {
			t.Errorf("%s: used: %v, at %d, want %v", name, got != nil, at, test.want)
		}
	}
}
