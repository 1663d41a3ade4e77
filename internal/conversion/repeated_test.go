package conversion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A client that may write a status can write entries of claimbridge with a valid digest, because nothing proves the
// origin of an entry. So the limit for the size of copies must hold for any entries.
func TestForgedEntriesDoNotMakeLargeCopies(t *testing.T) {
	const size = 100 << 10
	parameters := func(text string) []byte {
		return []byte(`{"p":` + string(objectjson.Quote(strings.Repeat(text, size/len(text)))) + `}`)
	}
	result := func(pool, device string) v1alpha3.DeviceRequestAllocationResult {
		return v1alpha3.DeviceRequestAllocationResult{
			Request: "claim", Driver: "gpu.example.com", Pool: pool, Device: device,
		}
	}
	entry := func(driver string, raw []byte) v1alpha3.DeviceAllocationConfiguration {
		return entryFrom("FromClass", driver, string(raw))
	}
	oneHandle := v1alpha3.AllocationResult{Devices: v1alpha3.DeviceAllocationResult{
		Results: []v1alpha3.DeviceRequestAllocationResult{result("node-1", "gpu-0")},
		Config:  []v1alpha3.DeviceAllocationConfiguration{entry("gpu.example.com", parameters("x"))},
	}}
	quoted := oneHandle
	quoted.Devices.Config = []v1alpha3.DeviceAllocationConfiguration{entry("gpu.example.com", parameters(`"`))}
	// Parameters that a handle for each pool would have.
	shared := v1alpha3.AllocationResult{}
	for i := range v1alpha3.AllocationResultsMaxSize {
		shared.Devices.Results = append(shared.Devices.Results, result(fmt.Sprint("node-", i), "gpu-0"))
	}
	shared.Devices.Config = oneHandle.Devices.Config
	// One handle of 16 KiB, for the maximum number of equal results.
	oneData := v1alpha3.AllocationResult{}
	for range v1alpha3.AllocationResultsMaxSize {
		oneData.Devices.Results = append(oneData.Devices.Results, result(names.Domain, fmt.Sprint("handle-", 0)))
	}
	oneData.Devices.Config = []v1alpha3.DeviceAllocationConfiguration{entry(names.Domain,
		objectjson.Marshal(&hub.ResourceHandleEntry{
			APIVersion: hub.EntryAPIVersion,
			Data:       strings.Repeat(`"`, 16<<10),
			Device:     fmt.Sprint("handle-", 0),
			Driver:     "gpu.example.com",
			Kind:       hub.KindResourceHandle,
		}))}
	for name, test := range map[string]struct {
		allocation v1alpha3.AllocationResult
		again      int
	}{
		"a handle named again and again":                 {oneHandle, 32},
		"a handle of quotes named again and again":       {quoted, 32},
		"parameters that many pools share":               {shared, 0},
		"the data of a handle for many results":          {oneData, 0},
		"the data of a handle, and each named by itself": {oneData, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if test.again > 0 {
				digest := hub.Digest(&test.allocation)
				handles := strings.TrimSuffix(strings.Repeat(`{"native":0},`, test.again), ",")
				test.allocation.Devices.Config = append(test.allocation.Devices.Config,
					entry(names.Domain, fmt.Appendf(nil,
						`{"apiVersion":%q,"digest":%q,"handles":[%s],"kind":%q}`,
						hub.EntryAPIVersion, digest, handles, hub.KindClassicAllocation)))
			}
			claim := &v1alpha3.ResourceClaim{}
			claim.APIVersion, claim.Kind, claim.Name = "resource.k8s.io/v1alpha3", api.KindClaim, "a"
			claim.Spec.Devices.Requests = []v1alpha3.DeviceRequest{{Name: "claim", DeviceClassName: "c"}}
			claim.Status.Allocation = &test.allocation
			stored, _ := must.Get2(ConvertJSON(encode(claim), Stored(), Options{}))(t)
			for _, to := range []string{"v1alpha2", "v1alpha1"} {
				copied, _ := must.Get2(ConvertJSON(stored, to, Options{}))(t)
				if most := 5*len(stored) + slack; len(copied) > most {
					t.Errorf("%d bytes are stored, the copy in %s has %d", len(stored), to, len(copied))
				}
				c := &propertyCase{T: t, from: Stored(), to: to}
				c.equal("back from "+to, c.convert(copied, Stored()), stored)
			}
		})
	}
}
