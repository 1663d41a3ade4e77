//go:build e2e

package bridge

import "strings"

var writes = map[string]scenario{
	"create": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", "")),
			create("claims", v.claim("a", "")), // a second time
			create("claims?dryRun=All", v.claim("b", "")),
			get("claims/b"),
			create("claims?dryRun=nonsense", v.claim("b", "")),
			create("claims?fieldManager=me", v.claim("c", "")),
			create("claims?fieldManager="+strings.Repeat("m", 200), v.claim("d", "")),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"generateName":"some-"},"spec":`+v.spec()+`}`),
			get("claims/<named>"),
			create("claims", `{"metadata":{"name":"bare"},"spec":`+v.spec()+`}`),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{},"spec":`+v.spec()+`}`),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a","namespace":"other"},"spec":`+v.spec()+`}`),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"full","uid":"`+someUID+`","resourceVersion":"","creationTimestamp":"2020-01-01T00:00:00Z","generation":7,"finalizers":["example.com/f"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"`+someUID+`"}]},"spec":`+v.spec()+`,"status":`+allocated("")+`}`),
			create("claims", v.claim("versioned", `,"resourceVersion":"5"`)),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"none"}}`),
			create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"empty"},"spec":{"devices":{}}}`),
			create("all-claims", v.claim("nowhere", "")),
			create("claims/a", v.claim("a", "")),
			create("templates", v.template("a", "")), create("templates", v.template("a", "")), create("templates?dryRun=All", v.template("b", "")),
			create("classes", v.class("a-<n>", "")), create("classes", v.class("a-<n>", "")),
			create("slices", v.slice("a-<n>", "", v.device("d0", ""))), create("slices", v.slice("a-<n>", "", v.device("d0", ""))),
			remove("classes/a-<n>"), remove("slices/a-<n>"),
		}
	},
	"what requests can say": func(v shape) []step {
		claim := func(name, requests, more string) step {
			return create("claims", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"`+name+`"},"spec":{"devices":{"requests":[`+requests+`]`+more+`}}}`)
		}
		class := `"deviceClassName":"gpu.example.com"`
		return []step{
			claim("count", v.asks("a", class+`,"allocationMode":"ExactCount","count":3`), ""),
			claim("all", v.asks("a", class+`,"allocationMode":"All"`), ""),
			claim("selectors", v.asks("a", class+`,"selectors":[{"cel":{"expression":"device.driver == \"a\""}}]`), ""),
			claim("tolerations", v.asks("a", class+`,"tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":5}]`), ""),
			claim("capacity", v.asks("a", class+`,"capacity":{"requests":{"memory":"1Gi"}}`), ""),
			claim("first", `{"name":"a","firstAvailable":[{"name":"one","deviceClassName":"x"},{"name":"two","deviceClassName":"y","count":2,"allocationMode":"ExactCount"}]}`, ""),
			claim("constraints", v.asks("a", class)+","+v.asks("b", class), `,"constraints":[{"requests":["a","b"],"matchAttribute":"gpu.example.com/model"}]`),
			claim("distinct", v.asks("a", class)+","+v.asks("b", class), `,"constraints":[{"requests":["a","b"],"distinctAttribute":"gpu.example.com/model"}]`),
			claim("config", v.asks("a", class), `,"config":[{"requests":["a"],"opaque":{"driver":"gpu.example.com","parameters":{"apiVersion":"x/v1","kind":"P","numbers":[1,2.5,12345678901234567890],"nested":{"b":1,"a":null}}}}]`),
			claim("zero", v.asks("a", class+`,"count":0,"allocationMode":"","selectors":[],"adminAccess":null`), ""),
			claim("nothing", v.asks("a", `"deviceClassName":""`), ""),
			claim("negative", v.asks("a", class+`,"count":-1,"allocationMode":"ExactCount"`), ""),
			claim("mode", v.asks("a", class+`,"allocationMode":"Some"`), ""),
			claim("cel", v.asks("a", class+`,"selectors":[{"cel":{"expression":"nonsense ("}}]`), ""),
			claim("name", v.asks("Not A Name", class), ""),
			claim("twice", v.asks("a", class)+","+v.asks("a", class), ""),
			claim("both", `{"name":"a","deviceClassName":"x","exactly":{"deviceClassName":"x"},"firstAvailable":[{"name":"one","deviceClassName":"x"}]}`, ""),
			claim("neither", `{"name":"a"}`, ""),
			claim("admin", v.asks("a", class+`,"adminAccess":true`), ""),
			claim("unknown-request", v.asks("a", class), `,"constraints":[{"requests":["z"],"matchAttribute":"gpu.example.com/model"}]`),
			claim("bad-config", v.asks("a", class), `,"config":[{"opaque":{"driver":"Not A Driver","parameters":[]}}]`),
			get("claims"),
		}
	},
	"update": func(v shape) []step {
		claim := func(more string) string { return v.claim("a", more) }
		changed := strings.ReplaceAll(v.claim("a", ""), "gpu.example.com", "other.example.com")
		return []step{
			create("claims", claim("")),
			put("claims/a", claim(`,"labels":{"l":"1"}`)), // without a resourceVersion
			put("claims/a", claim(`,"labels":{"l":"2"},"resourceVersion":"<rv a>"`)),
			put("claims/a", claim(`,"labels":{"l":"2"},"resourceVersion":"<rv a>"`)), // nothing new: the same resourceVersion
			put("claims/a", claim(`,"labels":{"l":"3"},"resourceVersion":"1"`)),
			put("claims/a", claim(`,"labels":{"l":"3"},"resourceVersion":"nonsense"`)),
			put("claims/a", claim(`,"labels":{"l":"3"},"uid":"`+someUID+`"`)),
			put("claims/a", claim(`,"uid":"<uid a>","annotations":{"x":"y"},"finalizers":["example.com/f"]`)),
			put("claims/a?dryRun=All", claim(`,"labels":{"dry":"run"}`)),
			put("claims/a?fieldManager=me", claim(`,"labels":{"l":"4"}`)),
			put("claims/a", changed), // the spec is immutable
			put("claims/b", claim("")),
			put("claims/missing", v.claim("missing", "")),
			put("claims/missing", v.claim("missing", `,"resourceVersion":"5"`)),
			put("claims/a", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"spec":`+v.spec()+`,"status":`+allocated("")+`}`),
			put("claims/a", `{"metadata":{"name":"a"},"spec":`+v.spec()+`}`),
			put("claims/a", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a","namespace":"other"},"spec":`+v.spec()+`}`),
			put("claims", claim("")),
			get("claims/a"),
			create("templates", v.template("a", "")), put("templates/a", v.template("a", `,"labels":{"l":"1"}`)),
			put("templates/a", strings.ReplaceAll(v.template("a", ""), "gpu.example.com", "other.example.com")),
			create("classes", v.class("a-<n>", "")), put("classes/a-<n>", v.class("a-<n>", `,"labels":{"l":"1"}`)),
			put("classes/a-<n>", strings.ReplaceAll(v.class("a-<n>", ""), "gpu.example.com", "other.example.com")),
			put("classes/a-<n>", v.class("a-<n>", `,"resourceVersion":"1"`)),
			create("slices", v.slice("a-<n>", "", v.device("d0", ""))),
			put("slices/a-<n>", v.slice("a-<n>", "", v.device("d0", ""), v.device("d1", `"attributes":{"m":{"string":"x"}}`))),
			put("slices/a-<n>", v.slice("a-<n>", `,"resourceVersion":"<rv a-<n>>"`, v.device("d1", `"attributes":{"m":{"string":"y"}}`))),
			put("slices/a-<n>", strings.ReplaceAll(v.slice("a-<n>", "", v.device("d0", "")), "worker", "elsewhere")),
			get("slices/a-<n>"),
			remove("classes/a-<n>"), remove("slices/a-<n>"),
		}
	},
	"what newer releases can say of slices and classes": func(v shape) []step {
		return []step{
			create("slices", v.slice("counters-<n>", "", v.device("d0", `"consumesCounters":[{"counterSet":"s","counters":{"c":{"value":"1"}}}]`))),
			create("slices", v.slice("policy-<n>", "", v.device("d0", `"allowMultipleAllocations":true,"capacity":{"m":{"value":"8Gi","requestPolicy":{"default":"1Gi","validRange":{"min":"1Gi","step":"1Gi"}}}}`))),
			create("slices", v.slice("binding-<n>", "", v.device("d0", `"bindsToNode":true,"bindingConditions":["a.example.com/b"],"bindingFailureConditions":["a.example.com/c"]`))),
			create("slices", v.slice("mapped-<n>", "", v.device("d0", `"nodeAllocatableResourceMappings":{"cpu":{"capacityKey":"c","allocationMultiplier":"2"}}`))),
			create("classes", strings.ReplaceAll(v.class("extended-<n>", ""), `"spec":{`, `"spec":{"extendedResourceName":"example.com/gpu",`)),
			get("slices/policy-<n>"), get("slices/binding-<n>"), get("slices/counters-<n>"), get("slices/mapped-<n>"),
			remove("slices/counters-<n>"), remove("slices/policy-<n>"), remove("slices/binding-<n>"), remove("slices/mapped-<n>"), remove("classes/extended-<n>"),
		}
	},
	"an update keeps what it does not say": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", `,"labels":{"l":"1"},"annotations":{"x":"y"}`)),
			put("claims/a/status", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"status":`+allocated("")+`}`),
			put("claims/a", v.claim("a", "")), // labels and annotations go, status stays
			get("claims/a"),
		}
	},
	"unknown fields": func(v shape) []step {
		unknown := `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"NAME","nonsense":1},"spec":{"devices":{"requests":[` + v.asks("gpu", `"deviceClassName":"gpu.example.com","more":true`) + `]},"other":{}},"extra":[]}`
		twice := `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"NAME"},"metadata":{"name":"NAME"},"spec":` + v.spec() + `}`
		var steps []step
		for i, mode := range []string{"", "?fieldValidation=Ignore", "?fieldValidation=Warn", "?fieldValidation=Strict", "?fieldValidation=nonsense"} {
			name := "a" + strings.Repeat("x", i)
			steps = append(steps,
				create("claims"+mode, strings.ReplaceAll(unknown, "NAME", name)),
				create("claims"+mode, strings.ReplaceAll(twice, "NAME", name+"-twice")),
				create("templates"+mode, `{"apiVersion":"<v>","kind":"ResourceClaimTemplate","metadata":{"name":"`+name+`"},"spec":{"nonsense":1,"spec":`+v.spec()+`}}`),
			)
		}
		steps = append(steps, create("claims", v.claim("b", "")))
		for _, mode := range []string{"?fieldValidation=Ignore", "?fieldValidation=Warn", "?fieldValidation=Strict"} {
			steps = append(steps, put("claims/b"+mode, strings.ReplaceAll(unknown, "NAME", "b")))
		}
		return append(steps, get("claims"))
	},
}

const someUID = "6a1f2c34-0000-4000-8000-000000000001"
