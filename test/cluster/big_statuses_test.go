//go:build e2e

package cluster

import (
	"fmt"
	"strings"
	"testing"
)

// roomy is the newest version that has no limit for the parameters of an entry. Its claims are stored in the newest all the same.
const roomy = "v1alpha3"

// bigStatuses are allocations near the limits of an API server and etcd, which takes 1.5 MiB a request: what several pools
// share is written once in v1alpha3 and later, and older versions have a handle for each pool.
var bigStatuses = map[string]func() map[string]any{
	"32 pools share 50 KB":                func() map[string]any { return sharedBy(32, class(50_000)) },
	"32 pools share 50 KB of the claim's": func() map[string]any { return sharedBy(32, claimWide(50_000)) },
	"8 pools share 197 KB":                func() map[string]any { return sharedBy(8, class(197_000)) },
	"2 pools share 787 KB":                func() map[string]any { return sharedBy(2, class(787_000)) },
	"32 pools share 1.3 MB of both":       func() map[string]any { return sharedBy(32, class(650_000), claimWide(650_000)) },
	"1.3 MB that are foreign to the reading": func() map[string]any {
		return sharedBy(32, class(650_000), class(650_000)) // the second of its kind has no place in v1alpha2
	},
	"32 pools and 64 entries": func() map[string]any {
		var entries []any
		for i := range 64 {
			entries = append(entries, entry([]string{"FromClass", "FromClaim"}[i%2], strings.Repeat("x", 20_000)+fmt.Sprint(i)))
		}
		return sharedBy(32, entries...)
	},
	"32 pools share 300 KB of quotes and slashes": func() map[string]any {
		return sharedBy(32, entry("FromClass", strings.Repeat(`"\`, 150_000)))
	},
	"32 pools share 300 KB of what is escaped": func() map[string]any {
		return sharedBy(32, entry("FromClass", strings.Repeat("<&>\u2028", 12_500)))
	},
}

func class(size int) any     { return entry("FromClass", strings.Repeat("x", size)) }
func claimWide(size int) any { return entry("FromClaim", strings.Repeat("y", size)) }

// entry of the configuration of an allocation, with a text among the parameters.
func entry(source, text string) any {
	return map[string]any{"source": source, "opaque": map[string]any{"driver": "gpu.example.com", "parameters": map[string]any{
		"apiVersion": "gpu.example.com/v1", "kind": "GpuConfig", "text": text,
	}}}
}

// sharedBy a number of pools.
func sharedBy(pools int, entries ...any) map[string]any {
	var results []any
	for i := range pools {
		results = append(results, map[string]any{
			"request": "claim", "driver": "gpu.example.com", "pool": fmt.Sprintf("pool-%d", i), "device": "gpu-0",
		})
	}
	return map[string]any{"allocation": map[string]any{"devices": map[string]any{"results": results, "config": entries}}}
}

// allocated is a claim of the roomy version with a status, and a spec that every version can say.
func (s space) allocated(t testing.TB, name string, status map[string]any) *object {
	t.Helper()
	o := s.typical(t, roomy, claimKind, name)
	o.SetLabels(map[string]string{"app": "train"})
	o.Object["spec"] = map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
		"name": "claim", "deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": int64(1),
	}}}}
	o.Object["status"] = status
	return s.createWithStatus(t, o)
}

// same value, or an error that says how much is left of it: these values are too long to be read.
func same(t testing.TB, what string, got, want any) bool {
	t.Helper()
	is, was := asJSON(t, got), asJSON(t, want)
	if string(is) == string(was) {
		return true
	}
	t.Errorf("%s: %d bytes have become %d: %.300s", what, len(was), len(is), is)
	return false
}
