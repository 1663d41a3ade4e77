//go:build e2e

package cluster

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// roomy is the newest version that has no limit for the parameters of an entry. Its claims are
// stored in the newest all the same.
const roomy = "v1alpha3"

// bigStatuses are allocations near the limits of an API server and etcd, which accepts 1.5 MiB per request. v1alpha3
// and later have shared configuration once, and older versions have a handle for each pool.
var bigStatuses = map[string]struct {
	pools, entries int
	text           string
}{
	"32 pools share 50 KB":                        {32, 1, strings.Repeat("x", 50_000)},
	"2 pools share 787 KB":                        {2, 1, strings.Repeat("x", 787_000)},
	"32 pools share 1.3 MB of both":               {32, 2, strings.Repeat("x", 650_000)},
	"32 pools and 64 entries":                     {32, 64, strings.Repeat("x", 20_000)},
	"32 pools share 300 KB of quotes and slashes": {32, 1, strings.Repeat(`"\`, 150_000)},
	"32 pools share 300 KB of what is escaped":    {32, 1, strings.Repeat("<&>\u2028", 12_500)},
}

// allocatedTo a number of pools, which share entries of configuration.
func allocatedTo(pools, entries int, text string) map[string]any {
	var results, config []any
	for i := range pools {
		results = append(results, map[string]any{
			"request": "claim", "driver": "gpu.example.com", "pool": fmt.Sprintf("pool-%d", i),
			"device": "gpu-0",
		})
	}
	for i := range entries {
		config = append(config,
			map[string]any{"source": []string{
				"FromClass", "FromClaim",
			}[i%2], "opaque": map[string]any{"driver": "gpu.example.com", "parameters": map[string]any{
				"apiVersion": "gpu.example.com/v1", "kind": "GpuConfig", "text": text + fmt.Sprint(i),
			}}})
	}
	return map[string]any{"allocation": map[string]any{"devices": map[string]any{"results": results, "config": config}}}
}

// A write of labels or reservations through an old version changes nothing else of the status, including large hidden
// data. Patches must work. An update with a whole copy may exceed the limit of an API server. Package conversion tests
// the copies. The conversion webhook alone must be enough.
func TestLargeAllocationsSurviveWritesThroughOldVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: megabytes are written hundreds of times")
	}
	for where, p := range map[string]*plane{"conversion only": conversionOnlyGroup(t), "validated": builtInOff} {
		for what, big := range bigStatuses {
			for _, version := range versions {
				isLong := len(big.text)*big.entries > 60_000
				if isLong && (version != versions[0] || p != builtInOff) || version == roomy {
					// these take long; in the oldest version, nothing may be rejected either
					continue
				}
				t.Run(where+"/"+version+"/"+what, func(t *testing.T) {
					t.Parallel()
					s, status := p.space(t), allocatedTo(big.pools, big.entries, big.text)
					o := s.typical(t, roomy, claimKind, "big")
					o.Object["spec"] = map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
						"name":            "claim",
						"deviceClassName": "gpu.example.com",
						"allocationMode":  "ExactCount",
						"count":           int64(1),
					}}}}
					o.Object["status"] = status
					s.createWithStatus(t, o)
					stays := func(after string, err error, mustWork bool) {
						t.Helper()
						if err != nil && mustWork {
							t.Errorf("%s: %.500v", after, err)
						}
						is, was := asJSON(t, projection(s.get(t, roomy, claimKind, "big"))), asJSON(t, status)
						if string(is) != string(was) {
							// too long to be read
							t.Fatalf("after a %s (%.300v): %d bytes have become %d: %.300s", after, err, len(was),
								len(is), is)
						}
					}
					patch := func(body string, path ...string) error {
						_, err := s.claims(version).Patch(t.Context(), "big", types.MergePatchType, []byte(body),
							metav1.PatchOptions{}, path...)
						return err
					}
					stays("merge patch", patch(`{"metadata":{"labels":{"by":"patch"}}}`), true)
					stays("merge patch that takes the annotations away",
						patch(`{"metadata":{"annotations":null,"labels":{"by":"another"}}}`), false)
					applied := s.move(&object{Object: map[string]any{}}, version, claimKind, "big")
					applied.SetLabels(map[string]string{"by": "apply"})
					_, err := s.claims(version).Apply(t.Context(), "big", applied,
						metav1.ApplyOptions{FieldManager: "labeller", Force: true})
					stays("server-side apply", err, true)
					for what, change := range map[string]func(*object){
						"PUT": func(*object) {}, "PUT without annotations": func(o *object) { o.SetAnnotations(nil) },
						// the structs of the time had no such field
						"PUT of what a typed client knows": func(o *object) { o.Object["status"] = projection(o) },
						"PUT without status":               func(o *object) { delete(o.Object, "status") },
					} {
						o := withLabel(s.get(t, version, claimKind, "big"), "by", fmt.Sprint(len(what)))
						change(o)
						_, err := s.claims(version).Update(t.Context(), o, metav1.UpdateOptions{})
						stays(what, err, what == "PUT without status")
					}
					status["reservedFor"] = []any{consumer(0)}
					stays("patch that reserves",
						patch(`{"status":{"reservedFor":[`+string(asJSON(t, consumer(0)))+`]}}`, "status"), true)
					o = s.get(t, version, claimKind, "big")
					o.Object["status"] = projection(o)
					set(t, o, []any{consumer(1)}, "status", "reservedFor")
					if _, err = s.claims(version).UpdateStatus(t.Context(), o, metav1.UpdateOptions{}); err == nil {
						status["reservedFor"] = []any{consumer(1)}
					}
					stays("PUT that reserves, by a client that knows no field of ours", err, false)
				})
			}
		}
	}
}
