//go:build e2e

package bridge

var deletes = map[string]scenario{
	"delete": func(v shape) []step {
		options := func(more string) string { return `{"apiVersion":"v1","kind":"DeleteOptions"` + more + `}` }
		return []step{
			create("claims", v.claim("a", `,"finalizers":["example.com/f"]`)), create("claims", v.claim("b", "")), create("claims", v.claim("c", "")), create("claims", v.claim("d", "")),
			remove("claims/a?dryRun=All"),
			remove("claims/a"), // the finalizer holds it
			get("claims/a"),
			remove("claims/a"),
			patch(mergePatch, "claims/a", `{"metadata":{"finalizers":null}}`), // and lets go
			get("claims/a"),
			remove("claims/b", options(`,"preconditions":{"uid":"`+someUID+`"}`)),
			remove("claims/b", options(`,"preconditions":{"resourceVersion":"1"}`)),
			remove("claims/b", options(`,"dryRun":["All"]`)),
			remove("claims/b", options(`,"dryRun":["Some"]`)),
			remove("claims/b", options(`,"propagationPolicy":"nonsense"`)),
			remove("claims/b", `{"apiVersion":"<v>","kind":"DeleteOptions","preconditions":{"uid":"<uid b>","resourceVersion":"<rv b>"}}`),
			remove("claims/b"),
			remove("claims/c", options(`,"propagationPolicy":"Foreground"`)),
			get("claims/c"),
			remove("claims/d?gracePeriodSeconds=0&propagationPolicy=Background"),
			remove("claims/d", `nonsense`),
			remove("claims/missing"),
			create("templates", v.template("t", "")), remove("templates/t"), remove("templates/t"),
			create("slices", v.slice("a-<n>", "", v.device("d0", `"capacity":{"memory":{"value":"1Gi"}}`))), remove("slices/a-<n>"),
		}
	},
	"delete collection": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", `,"labels":{"app":"x"}`)), create("claims", v.claim("b", `,"labels":{"app":"x"}`)), create("claims", v.claim("c", "")),
			remove("claims?labelSelector=app%3Dx&dryRun=All"),
			get("claims"),
			remove("claims?labelSelector=app%3Dx"),
			remove("claims?labelSelector=app%3Dx"),
			get("claims"),
			remove("claims?labelSelector=a%20b"),
			remove("claims", `{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"`+someUID+`"}}`),
			remove("claims?limit=1"),
			remove("claims"),
			create("templates", v.template("t", "")), remove("templates"), get("templates"),
			remove("all-claims"),
		}
	},
	"a claim in use goes when its status lets it": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", `,"finalizers":["resource.kubernetes.io/delete-protection"]`)),
			put("claims/a/status", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"status":`+allocated("")+`}`),
			remove("claims/a"),
			put("claims/a/status", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"status":{}}`),
			put("claims/a", v.claim("a", "")), // the finalizer goes, and with it the claim
			get("claims/a"),
		}
	},
}

var watches = map[string]scenario{
	"a watch from a list on": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", `,"labels":{"app":"x"}`)),
			get("claims"),
			watch("all", "claims?watch=true&resourceVersion=<listrv>&allowWatchBookmarks=true"),
			watch("x", "claims?watch=true&resourceVersion=<listrv>&labelSelector=app%3Dx"),
			watch("old path", "/apis/<v>/watch/namespaces/<ns>/resourceclaims?resourceVersion=<listrv>"),
			create("claims", v.claim("b", "")),
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"l":"1"}}}`),
			put("claims/b/status", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"b"},"status":`+allocated("")+`}`),
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"app":"y"}}}`),
			remove("claims/b"),
			events("all", 5), events("x", 2), events("old path", 5),
		}
	},
	"a watch of what is there": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", "")), create("claims", v.claim("b", "")),
			watch("none", "claims?watch=true&timeoutSeconds=8"),
			watch("zero", "claims?watch=1&resourceVersion=0&fieldSelector=metadata.name%3Da&timeoutSeconds=8"),
			watch("list", "claims?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=8"),
			watch("one", "claims?watch=true&fieldSelector=metadata.name%3Db&resourceVersion=<rv b>&timeoutSeconds=8"),
			events("none", 2), events("list", 3),
			patch(mergePatch, "claims/b", `{"metadata":{"labels":{"l":"1"}}}`),
			events("one", 1), events("list", 1),
			events("none", 0), events("zero", 0), events("one", 0), events("list", 0), // they end by themselves
		}
	},
	"as Python's client asks": func(v shape) []step {
		agent := func(s step) step { return s.with("User-Agent", "OpenAPI-Generator/32.0.1/python") }
		return []step{
			agent(create("claims?pretty=True", v.claim("a", ""))),
			agent(get("claims?watch=False&limit=5&pretty=true")),
			agent(watch("w", "claims?watch=True&timeoutSeconds=8&allowWatchBookmarks=True")),
			agent(patch(strategic, "claims/a", `{"metadata":{"labels":{"a":"b"}}}`)),
			agent(patch(jsonPatch, "claims/a", `[{"op":"add","path":"/metadata/labels","value":{"a":"c"}}]`)),
			events("w", 3),
			agent(remove("claims/a", `{}`)),
			agent(remove("claims", `{"gracePeriodSeconds":0}`)),
		}
	},
	"watches that cannot be": func(shape) []step {
		return []step{
			watch("a", "claims?watch=true&sendInitialEvents=true"),
			watch("b", "claims?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact"),
			watch("c", "claims?watch=true&resourceVersion=nonsense"),
			watch("d", "claims?watch=true&labelSelector=a%20b"),
			watch("e", "claims?watch=true&resourceVersionMatch=NotOlderThan"),
			watch("f", "claims?watch=nonsense"),
			get("claims?sendInitialEvents=true&resourceVersionMatch=NotOlderThan"),
		}
	},
	"a watch as a table, of metadata, and of the other kinds": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", "")),
			create("templates", v.template("t", "")),
			create("slices", v.slice("a-<n>", `,"labels":{"of":"<n>"}`, v.device("d0", ""))),
			create("classes", v.class("a-<n>", `,"labels":{"of":"<n>"}`)),
			watch("table", "claims?watch=true").accepting(asTable),
			watch("table with objects", "claims?watch=true&includeObject=Object").accepting(asTable),
			watch("metadata", "claims?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true").accepting(asPartial),
			watch("templates", "templates?watch=true"),
			watch("slices", "slices?watch=true&labelSelector=of%3D<n>"),
			watch("classes", "classes?watch=true&labelSelector=of%3D<n>&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"),
			events("table", 1), events("table with objects", 1), events("metadata", 2), events("templates", 1), events("slices", 1), events("classes", 2),
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"l":"1"}}}`),
			put("slices/a-<n>", v.slice("a-<n>", `,"labels":{"of":"<n>"}`, v.device("d1", ""))),
			remove("templates/t"), remove("slices/a-<n>"), remove("classes/a-<n>"),
			events("table", 1), events("table with objects", 1), events("metadata", 1), events("templates", 1), events("slices", 2), events("classes", 1),
		}
	},
}
