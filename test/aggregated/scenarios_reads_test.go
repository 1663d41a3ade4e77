//go:build e2e

package aggregated

const (
	asTable    = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
	asPartial  = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json"
	asPartials = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"
)

var reads = map[string]scenario{
	"claims are read one by one and as lists": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", `,"labels":{"app":"x","tier":"one"},"annotations":{"note":"n"}`)),
			create("claims", v.claim("b", `,"labels":{"app":"x"}`)),
			create("claims", v.claim("c", `,"labels":{"app":"y"}`)),
			get("claims/a"),
			get("claims/a?resourceVersion=<rv a>"),
			get("claims/a?pretty=true"),
			get("claims/missing"),
			get("claims"),
			get("claims?labelSelector=app%3Dx"),
			get("claims?labelSelector=app%20in%20(x,y),tier"),
			get("claims?labelSelector=app!%3Dx"),
			get("claims?labelSelector=a%20b"),
			get("claims?fieldSelector=metadata.name%3Da"),
			get("claims?fieldSelector=metadata.namespace%3D<ns>"),
			get("claims?fieldSelector=spec.nothing%3Da"),
			get("all-claims?fieldSelector=metadata.namespace%3D<ns>"),
			get("claims?resourceVersion=<rv c>&resourceVersionMatch=NotOlderThan"),
			get("claims?resourceVersion=<listrv>&resourceVersionMatch=Exact"),
			get("claims?resourceVersionMatch=Exact"),
			get("claims?resourceVersion=1&resourceVersionMatch=nonsense"),
			get("claims?resourceVersion=nonsense"),
			get("claims?timeoutSeconds=5"),
			get("claims?timeoutSeconds=nonsense"),
			get("claims?limit=nonsense"),
		}
	},
	"a list comes in pieces": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", "")), create("claims", v.claim("b", "")), create("claims", v.claim("c", "")),
			create("claims", v.claim("d", "")), create("claims", v.claim("e", "")),
			get("claims?limit=2"),
			get("claims?limit=2&continue=<continue>"),
			get("claims?limit=2&continue=<continue>"),
			get("claims?limit=5"),
			get("claims?limit=2"),
			get("claims?limit=2&continue=<continue>&resourceVersion=5"),
			get("claims?limit=2&continue=nonsense"),
			get("claims?limit=1&labelSelector=a"),
			get("claims?limit=2").accepting(asTable),
			get("claims?limit=2").accepting(asPartials),
		}
	},
	"templates are read": func(v shape) []step {
		return []step{
			create("templates", v.template("a", `,"labels":{"app":"x"}`)), create("templates", v.template("b", "")),
			get("templates/a"), get("templates"), get("templates?labelSelector=app%3Dx"), get("templates/missing"),
			get("templates?limit=1"), get("templates?limit=1&continue=<continue>"),
			get("all-templates?fieldSelector=metadata.namespace%3D<ns>"),
			get("templates").accepting(asTable), get("templates/a").accepting(asPartial),
			get("templates/a/status"),
		}
	},
	"classes are read": func(v shape) []step {
		return []step{
			create("classes", v.class("a-<n>", `,"labels":{"of":"<n>"}`)), create("classes", v.class("b-<n>", `,"labels":{"of":"<n>"}`)),
			get("classes/a-<n>"), get("classes?labelSelector=of%3D<n>"), get("classes/missing"),
			get("classes?labelSelector=of%3D<n>&limit=1"),
			get("classes?fieldSelector=metadata.name%3Da-<n>"),
			get("classes?labelSelector=of%3D<n>").accepting(asTable), get("classes/a-<n>").accepting(asPartial),
			get("classes/a-<n>/status"),
			remove("classes/a-<n>"), remove("classes?labelSelector=of%3D<n>"),
		}
	},
	"slices are read": func(v shape) []step {
		return []step{
			create("slices", v.slice("a-<n>", `,"labels":{"of":"<n>"}`, v.device("d0", `"attributes":{"model":{"string":"m"},"size":{"int":4},"is":{"bool":true},"at":{"version":"1.2.3"}},"capacity":{"memory":{"value":"16Gi"}}`))),
			create("slices", v.slice("b-<n>", `,"labels":{"of":"<n>"}`, v.device("d0", ""), v.device("d1", `"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]`))),
			get("slices/a-<n>"), get("slices?labelSelector=of%3D<n>"), get("slices/missing"),
			get("slices?labelSelector=of%3D<n>&fieldSelector=spec.nodeName%3Dworker"),
			get("slices?labelSelector=of%3D<n>&fieldSelector=spec.driver%3Dgpu.example.com"),
			get("slices?labelSelector=of%3D<n>&fieldSelector=spec.driver%3Dother"),
			get("slices?fieldSelector=spec.pool.name%3Da"),
			get("slices?labelSelector=of%3D<n>").accepting(asTable), get("slices/a-<n>").accepting(asPartial),
			remove("slices/a-<n>"), remove("slices?labelSelector=of%3D<n>"),
		}
	},
	"tables and metadata alone": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", `,"labels":{"app":"x"}`)), create("claims", v.claim("b", "")),
			put("claims/a/status", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a","resourceVersion":"<rv a>"},"spec":`+v.spec()+`,"status":`+allocated("")+`}`),
			get("claims").accepting(asTable),
			get("claims/a").accepting(asTable),
			get("claims/a/status").accepting(asTable), get("claims/a/status").accepting(asPartial),
			get("claims?includeObject=None").accepting(asTable),
			get("claims?includeObject=Object").accepting(asTable),
			get("claims?includeObject=Metadata").accepting(asTable),
			get("claims?includeObject=nonsense").accepting(asTable),
			get("claims").accepting(asPartials),
			get("claims/a").accepting(asPartial),
			get("claims").accepting("application/json;as=Table;v=v1beta1;g=meta.k8s.io"),
			get("claims").accepting("application/json;as=Nonsense;v=v1;g=meta.k8s.io"),
			get("claims/a").accepting("application/json;as=Nonsense;v=v1;g=meta.k8s.io,application/json"),
			create("claims", v.claim("c", "")).accepting(asTable),
			patch(mergePatch, "claims/c", `{"metadata":{"labels":{"a":"b"}}}`).accepting(asPartial),
		}
	},
}
