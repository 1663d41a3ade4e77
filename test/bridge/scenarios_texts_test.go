//go:build e2e

package bridge

import "strings"

// texts are what clients that are not of Go write, to the byte.
var texts = map[string]scenario{
	"parameters with blanks are the same again": func(v shape) []step {
		claim := func(more string) string {
			return strings.Replace(v.claim("a", more), `"spec":{"devices":{`,
				`"spec":{"devices":{"config":[{"opaque":{"driver":"gpu.example.com","parameters":{"a": 1, "b": [1, 2]}}}],`, 1)
		}
		return []step{
			create("claims", claim(`,"finalizers":["example.com/wait"]`)),
			put("claims/a", claim(`,"finalizers":["example.com/wait"],"labels":{"l":"1"}`)),
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"m":"1"}}}`),
			remove("claims/a"),
			put("claims/a", claim("")),
			get("claims/a"),
		}
	},
	"parameters without blanks": func(v shape) []step {
		claim := func(more string) string {
			return strings.Replace(v.claim("a", more), `"spec":{"devices":{`,
				`"spec":{"devices":{"config":[{"opaque":{"driver":"gpu.example.com","parameters":{"a":1}}}],`, 1)
		}
		return []step{
			create("claims", claim("")), put("claims/a", claim(`,"labels":{"l":"1"}`)), patch(mergePatch, "claims/a", `{"metadata":{"labels":{"m":"1"}}}`), get("claims/a"),
		}
	},
	"characters that YAML does not print": func(v shape) []step {
		return []step{
			patch(applyPatch, "claims/a?fieldManager=me", v.claim("a", `,"annotations":{"a":"\u007f\u0085\u009f\ufeff\ufffe"}`)),
			get("claims/a"),
			patch(applyPatch, "claims/a?fieldManager=me", v.claim("a", `,"annotations":{"a":"\u0080"}`)),
		}
	},
	"a slice that is applied from all nodes": func(v shape) []step {
		slice := strings.Replace(v.slice("a-<n>", "", v.device("d0", "")), `"nodeName":"worker"`, `"allNodes":true`, 1)
		return []step{
			create("slices", slice),
			patch(applyPatch, "slices/a-<n>?fieldManager=me", `{"apiVersion":"<v>","kind":"ResourceSlice","metadata":{"name":"a-<n>"},"spec":{"driver":"gpu.example.com",`+
				`"pool":{"name":"a-<n>","generation":1,"resourceSliceCount":1},"allNodes":false}}`),
			get("slices/a-<n>"), remove("slices/a-<n>"),
		}
	},
}
