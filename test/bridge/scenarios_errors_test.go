//go:build e2e

package bridge

import (
	"bytes"
	"compress/gzip"
	"strings"
)

const (
	asYAML  = "application/yaml"
	asProto = "application/vnd.kubernetes.protobuf"
)

var mediaTypes = map[string]scenario{
	"YAML": func(shape) []step {
		text := "apiVersion: <v>\nkind: ResourceClaim\nmetadata:\n  name: NAME\nspec:\n  devices: {}\n"
		return []step{
			create("claims", strings.ReplaceAll(text, "NAME", "a")).sending(asYAML),
			create("claims", strings.ReplaceAll(text, "NAME", "b")).sending(asYAML).accepting(asYAML),
			create("claims?fieldValidation=Strict", strings.ReplaceAll(text, "NAME", "c")+"spec: {}\n").sending(asYAML),
			create("claims", "a: [b").sending(asYAML),
			get("claims/a").accepting(asYAML), get("claims").accepting(asYAML), get("claims/missing").accepting(asYAML),
			put("claims/a", strings.ReplaceAll(text, "NAME", "a")).sending(asYAML),
		}
	},
	"protobuf": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", "")).sending(asProto),
			create("claims", v.claim("b", "")).sending(asProto).accepting(asProto + ",application/json"),
			get("claims/a").accepting(asProto + ",application/json"),
			get("claims").accepting(asProto + ",application/json"),
			get("claims/a").accepting(asProto),
			put("claims/a", v.claim("a", `,"labels":{"l":"1"}`)).sending(asProto).accepting(asProto + ",application/json"),
			create("templates", v.template("t", "")).sending(asProto),
			create("slices", v.slice("a-<n>", "", v.device("d0", `"attributes":{"m":{"string":"x"}},"capacity":{"memory":{"value":"1Gi"}}`))).sending(asProto),
			create("classes", v.class("a-<n>", "")).sending(asProto),
			get("slices/a-<n>"), get("classes/a-<n>"),
			remove("slices/a-<n>").accepting(asProto + ",application/json"), remove("classes/a-<n>"),
			create("claims", "nonsense").sending(asProto),
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"l":"2"}}}`).accepting(asProto + ",application/json"),
			watch("w", "claims?watch=true&fieldSelector=metadata.name%3Da").accepting(asProto+";stream=watch,application/json;stream=watch").with("X-Nothing", "x"),
		}
	},
	"bodies that are compressed": func(v shape) []step { // an API server takes none, whatever they would grow to
		claim := compressed(strings.ReplaceAll(v.claim("a", ""), "<v>", "resource.k8s.io/"+string(v)))
		bomb := compressed(strings.Repeat(" ", 64<<20))
		return []step{
			create("claims", claim).with("Content-Encoding", "gzip"), create("claims", bomb).with("Content-Encoding", "gzip"),
			create("claims", v.claim("b", "")).with("Content-Encoding", "gzip"), // it only says so
			put("claims/b", bomb).with("Content-Encoding", "gzip"),
			patch(mergePatch, "claims/b", compressed(`{"metadata":{"labels":{"l":"1"}}}`)).with("Content-Encoding", "gzip"),
			get("claims"),
		}
	},
	"other media types": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", "")).sending("text/plain"),
			create("claims", v.claim("a", "")).sending("application/json; charset=utf-8"),
			create("claims", v.claim("a", "")).sending("nonsense"),
			patch("application/json", "claims/a", `{}`), patch("text/plain", "claims/a", `{}`), patch("", "claims/a", `{}`),
			get("claims/a").accepting("text/html"), get("claims/a").accepting("*/*"), get("claims/a").accepting("application/*"),
			get("claims").accepting("image/png"), get("claims/a").accepting("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
			get("claims/a").accepting("application/cbor,application/json"), get("claims/a").accepting("application/cbor"),
			watch("w", "claims?watch=true").accepting("text/html"),
		}
	},
}

var errorsOfAllKinds = map[string]scenario{
	"bodies that are none": func(v shape) []step {
		return []step{
			create("claims", ""), create("claims", "{"), create("claims", "[]"), create("claims", "null"), create("claims", `"text"`), create("claims", "{}"),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim"}`),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaimTemplate","metadata":{"name":"a"}}`),
			create("claims", `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{}}`),
			create("claims", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{}}`),
			create("claims", `{"apiVersion":"v9","kind":"Nothing","metadata":{"name":"a"},"spec":{}}`),
			create("claims", `{"apiVersion":"<v>","metadata":{"name":"a"},"spec":{}}`),
			create("claims", `{"kind":"ResourceClaim","metadata":{"name":"a"},"spec":{}}`),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":{}}}}`),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[`+v.asks("a", `"count":"many"`)+`]}}}`),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":[],"spec":{}}`),
			create("claims", v.claim("a", "")+v.claim("b", "")),
			put("claims/a", "{"), put("claims/a", ""), put("claims/a/status", "{"),
			create("claims", v.claim("p", "")),
			patch(mergePatch, "claims/p", "{"), patch(mergePatch, "claims/p", "[]"), patch(mergePatch, "claims/p", ""), patch(strategic, "claims/p", "{"), patch(strategic, "claims/p", "[]"),
			patch(jsonPatch, "claims/p", "{}"), patch(jsonPatch, "claims/p", `[{"op":"nonsense","path":"/metadata"}]`), patch(jsonPatch, "claims/p", `[{"op":"add"}]`), patch(jsonPatch, "claims/p", "["),
			patch(jsonPatch, "claims/p", `[{"op":"remove","path":"/metadata"}]`), patch(jsonPatch, "claims/p", `[{"op":"add","path":"/metadata/labels","value":5}]`),
			patch(strategic, "claims/p", `{"metadata":{"labels":5}}`), patch(mergePatch, "claims/p", `{"metadata":{"labels":5}}`), patch(mergePatch, "claims/p", `{"spec":{"devices":5}}`),
			patch(mergePatch, "claims/p", `{"metadata":null}`),
		}
	},
	"objects that are wrong": func(v shape) []step {
		return []step{
			create("claims", v.claim("Not A Name", "")), create("claims", v.claim(strings.Repeat("a", 300), "")),
			create("claims", v.claim("a", `,"labels":{"not a label":"x"}`)), create("claims", v.claim("a", `,"labels":{"a":"not a value!"}`)),
			create("claims", v.claim("a", `,"annotations":{"not an annotation":"x"}`)), create("claims", v.claim("a", `,"finalizers":["not a finalizer"]`)),
			create("claims", v.claim("a", `,"ownerReferences":[{"kind":"Pod","name":"p"}]`)), create("claims", v.claim("a", `,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1","controller":true},{"apiVersion":"v1","kind":"Pod","name":"q","uid":"2","controller":true}]`)),
			create("claims", v.claim("a", `,"creationTimestamp":"never"`)),
			create("templates", `{"apiVersion":"<v>","kind":"ResourceClaimTemplate","metadata":{"name":"a"},"spec":{"spec":{"devices":{"requests":[`+v.asks("Not A Name", `"deviceClassName":"x"`)+`]}}}}`),
			create("templates", `{"apiVersion":"<v>","kind":"ResourceClaimTemplate","metadata":{"name":"a"},"spec":{"metadata":{"name":"x"},"spec":`+v.spec()+`}}`),
			create("classes", `{"apiVersion":"<v>","kind":"DeviceClass","metadata":{"name":"a-<n>"},"spec":{"selectors":[{"cel":{"expression":"("}}],"config":[{}]}}`),
			create("slices", v.slice("a-<n>", "", v.device("Not A Name", ""))),
			create("slices", v.slice("a-<n>", "", v.device("d0", `"attributes":{"m":{}}`))),
			create("slices", v.slice("a-<n>", "", v.device("d0", ""), v.device("d0", ""))),
			create("slices", `{"apiVersion":"<v>","kind":"ResourceSlice","metadata":{"name":"a-<n>"},"spec":{"driver":"gpu.example.com","pool":{"name":"p","generation":1,"resourceSliceCount":1}}}`),
			create("slices", `{"apiVersion":"<v>","kind":"ResourceSlice","metadata":{"name":"a-<n>"},"spec":{"driver":"gpu.example.com","allNodes":true,"nodeName":"n","pool":{"name":"p","generation":1,"resourceSliceCount":0}}}`),
		}
	},
	"paths that lead nowhere": func(v shape) []step {
		return []step{
			get("/apis/<v>/namespaces/<ns>/nothing"), get("/apis/<v>/namespaces/<ns>/resourceclaims/a/nothing"), get("/apis/<v>/namespaces/<ns>/resourceclaims/a/status/more"),
			get("/apis/<v>/resourceclaims/a"), get("/apis/<v>/namespaces/<ns>"), get("/apis/<v>/namespaces/<ns>/deviceclasses"), get("/apis/<v>/nothing"),
			get("/apis/<v>/namespaces/no-such-namespace/resourceclaims"), create("/apis/<v>/namespaces/no-such-namespace/resourceclaims", v.claim("a", "")),
			get("/apis/<v>/namespaces/<ns>/resourceclaims/"), get("/apis/<v>/proxy/namespaces/<ns>/resourceclaims/a"),
			{request: request{method: "OPTIONS", path: "claims"}}, {request: request{method: "HEAD", path: "claims"}}, {request: request{method: "NONSENSE", path: "claims"}},
			{request: request{method: "PUT", path: "claims", body: "{}"}}, {request: request{method: "POST", path: "claims/a", body: "{}"}},
		}
	},
}

var documents = map[string]scenario{
	"discovery": func(shape) []step {
		return []step{
			get("/apis/<v>"), get("/apis/<v>/"), get("/apis/<v>").accepting(asProto + ",application/json"), get("/apis/<v>").by("nobody"),
			watch("w", "/apis/<v>?watch=true"),
		}
	},
}

func compressed(text string) string {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(text)) // into memory
	_ = w.Close()
	return packed.String()
}
