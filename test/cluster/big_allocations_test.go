//go:build e2e

package cluster

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// versionWithoutLimit is the newest version without a limit for the parameters of an entry. Its claims are stored in v1
// nevertheless.
const versionWithoutLimit = "v1alpha3"

// largeStatuses are allocations near the limits of an API server and etcd, which accepts 1.5 MiB per request. In
// v1alpha3 and later, shared configuration is stored once; in older versions, each handle has a copy.
var largeStatuses = map[string]struct {
	pools, entries int
	text           string
}{
	"32 pools share 50 KB":                                 {32, 1, strings.Repeat("x", 50_000)},
	"2 pools share 787 KB":                                 {2, 1, strings.Repeat("x", 787_000)},
	"32 pools share 1.3 MB of both":                        {32, 2, strings.Repeat("x", 650_000)},
	"32 pools and 64 entries":                              {32, 64, strings.Repeat("x", 20_000)},
	"32 pools share 300 KB of quotes and slashes":          {32, 1, strings.Repeat(`"\`, 150_000)},
	"32 pools share 300 KB of characters that are escaped": {32, 1, strings.Repeat("<&>\u2028", 12_500)},
}

// largeStatus returns an allocation of devices in a number of pools, which share entries of configuration.
func largeStatus(pools, entries int, text string) map[string]any {
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

// TestLargeAllocationsSurviveWritesThroughOldVersions checks that a write of labels or reservations through an old
// version does not change the rest of the status, including large hidden data. Patches must succeed. An update with a
// complete copy may exceed a limit of the API server. Package conversion tests the copies. All of this must hold with
// the conversion webhook alone.
func TestLargeAllocationsSurviveWritesThroughOldVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: megabytes are written hundreds of times")
	}
	for where, p := range map[string]*plane{"conversion only": conversionOnlyGroup(t), "validated": withoutBuiltIn} {
		for what, large := range largeStatuses {
			for _, version := range versions {
				isLarge := len(large.text)*large.entries > 60_000
				if isLarge && (version != versions[0] || p != withoutBuiltIn) || version == versionWithoutLimit {
					// Large statuses take long, so only the oldest version is tested.
					continue
				}
				t.Run(where+"/"+version+"/"+what, func(t *testing.T) {
					t.Parallel()
					s, status := p.space(t), largeStatus(large.pools, large.entries, large.text)
					o := s.typicalObject(t, versionWithoutLimit, claimKind, "big")
					o.Object["spec"] = map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
						"name":            "claim",
						"deviceClassName": "gpu.example.com",
						"allocationMode":  "ExactCount",
						"count":           int64(1),
					}}}}
					o.Object["status"] = status
					s.createWithStatus(t, o)
					checkStatus := func(after string, err error, mustWork bool) {
						t.Helper()
						if err != nil && mustWork {
							t.Errorf("%s: got %.500v, want no error", after, err)
						}
						got, want := asJSON(t, projection(s.get(t, versionWithoutLimit, claimKind, "big"))), asJSON(t, status)
						if string(got) != string(want) {
							// a complete diff would be too long
							t.Fatalf("status after %s (%.300v): got %d bytes, want %d: %.300s", after, err, len(got),
								len(want), got)
						}
					}
					patch := func(body string, path ...string) error {
						_, err := s.claims(version).Patch(t.Context(), "big", types.MergePatchType, []byte(body),
							metav1.PatchOptions{}, path...)
						return err
					}
					checkStatus("merge patch", patch(`{"metadata":{"labels":{"by":"patch"}}}`), true)
					checkStatus("merge patch that removes the annotations",
						patch(`{"metadata":{"annotations":null,"labels":{"by":"another"}}}`), false)
					applied := s.inNamespace(&object{Object: map[string]any{}}, version, claimKind, "big")
					applied.SetLabels(map[string]string{"by": "apply"})
					_, err := s.claims(version).Apply(t.Context(), "big", applied,
						metav1.ApplyOptions{FieldManager: "labeller", Force: true})
					checkStatus("server-side apply", err, true)
					for what, change := range map[string]func(*object){
						"PUT": func(*object) {}, "PUT without annotations": func(o *object) { o.SetAnnotations(nil) },
						// the types of old releases have no field for preserved data
						"PUT of the fields of a typed client": func(o *object) { o.Object["status"] = projection(o) },
						"PUT without status":                  func(o *object) { delete(o.Object, "status") },
					} {
						o := withLabel(s.get(t, version, claimKind, "big"), "by", fmt.Sprint(len(what)))
						change(o)
						_, err := s.claims(version).Update(t.Context(), o, metav1.UpdateOptions{})
						checkStatus(what, err, what == "PUT without status")
					}
					status["reservedFor"] = []any{consumer(0)}
					checkStatus("patch that reserves",
						patch(`{"status":{"reservedFor":[`+string(asJSON(t, consumer(0)))+`]}}`, "status"), true)
					o = s.get(t, version, claimKind, "big")
					o.Object["status"] = projection(o)
					set(t, o, []any{consumer(1)}, "status", "reservedFor")
					if _, err = s.claims(version).UpdateStatus(t.Context(), o, metav1.UpdateOptions{}); err == nil {
						status["reservedFor"] = []any{consumer(1)}
					}
					checkStatus("PUT that reserves, by a typed client", err, false)
				})
			}
		}
	}
}
