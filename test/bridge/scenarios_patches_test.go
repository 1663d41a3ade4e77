//go:build e2e

package bridge

var patches = map[string]scenario{
	"patches of metadata": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", `,"labels":{"l":"1"},"finalizers":["example.com/f"]`)),
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"m":"2"}}}`),
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"m":"2"}}}`), // nothing new
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"m":null}}}`),
			patch(mergePatch, "claims/a", `{"metadata":{"resourceVersion":"<rv a>","labels":{"m":"3"}}}`),
			patch(mergePatch, "claims/a", `{"metadata":{"resourceVersion":"1","labels":{"m":"4"}}}`),
			patch(mergePatch, "claims/a", `{"metadata":{"uid":"`+someUID+`"}}`),
			patch(mergePatch, "claims/a", `{"metadata":{"name":"b"}}`),
			patch(mergePatch, "claims/a", `{"metadata":{"finalizers":null}}`),
			patch(mergePatch, "claims/a?dryRun=All", `{"metadata":{"labels":{"dry":"run"}}}`),
			patch(mergePatch, "claims/a?fieldManager=me", `{"metadata":{"annotations":{"a":"b"}}}`),
			patch(mergePatch, "claims/a?force=true", `{"metadata":{"annotations":{"a":"b"}}}`),
			patch(strategic, "claims/a", `{"metadata":{"labels":{"s":"1"},"finalizers":["example.com/g"]}}`),
			patch(strategic, "claims/a", `{"metadata":{"$deleteFromPrimitiveList/finalizers":["example.com/g"]}}`),
			patch(strategic, "claims/a", `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"`+someUID+`"}]}}`),
			patch(strategic, "claims/a", `{"metadata":{"ownerReferences":[{"$patch":"delete","uid":"`+someUID+`"}]}}`),
			patch(jsonPatch, "claims/a", `[{"op":"add","path":"/metadata/labels/j","value":"1"}]`),
			patch(jsonPatch, "claims/a", `[{"op":"test","path":"/metadata/labels/j","value":"1"},{"op":"remove","path":"/metadata/labels/j"}]`),
			patch(jsonPatch, "claims/a", `[{"op":"test","path":"/metadata/labels/j","value":"1"}]`),
			patch(jsonPatch, "claims/a", `[{"op":"copy","from":"/metadata/labels/l","path":"/metadata/labels/copy"},{"op":"move","from":"/metadata/labels/copy","path":"/metadata/labels/moved"}]`),
			patch(jsonPatch, "claims/a", `[{"op":"replace","path":"/metadata/labels/none","value":"1"}]`),
			patch(jsonPatch, "claims/a", `[{"op":"replace","path":"/metadata/resourceVersion","value":"1"},{"op":"add","path":"/metadata/labels/j","value":"2"}]`),
			patch(jsonPatch, "claims/a", `[]`),
			get("claims/a"),
			patch(mergePatch, "claims/missing", `{"metadata":{"labels":{"m":"2"}}}`),
			patch(mergePatch, "claims", `{"metadata":{"labels":{"m":"2"}}}`),
		}
	},
	"patches of the spec": func(v shape) []step {
		return []step{
			create("claims", v.claim("a", "")),
			patch(mergePatch, "claims/a", `{"spec":`+v.spec()+`}`),
			patch(mergePatch, "claims/a", `{"spec":{"devices":{"requests":[`+v.asks("gpu", `"deviceClassName":"other.example.com"`)+`]}}}`),
			patch(mergePatch, "claims/a", `{"spec":null}`),
			patch(strategic, "claims/a", `{"spec":{"devices":{"requests":[`+v.asks("gpu", `"deviceClassName":"other.example.com"`)+`]}}}`),
			patch(jsonPatch, "claims/a", `[{"op":"test","path":"`+v.inside("deviceClassName")+`","value":"gpu.example.com"}]`),
			patch(jsonPatch, "claims/a", `[{"op":"replace","path":"`+v.inside("deviceClassName")+`","value":"other.example.com"}]`),
			patch(jsonPatch, "claims/a", `[{"op":"replace","path":"`+v.inside("deviceClassName")+`","value":"gpu.example.com"},{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`),
			patch(jsonPatch, "claims/a", `[{"op":"replace","path":"`+v.inside("nonsense")+`","value":1}]`),
			patch(jsonPatch, "claims/a", `[{"op":"add","path":"`+v.inside("nonsense")+`","value":1}]`),
			patch(jsonPatch, "claims/a", `[{"op":"replace","path":"","value":`+v.claim("a", "")+`}]`),
			get("claims/a"),
			create("templates", v.template("t", "")),
			patch(mergePatch, "templates/t", `{"metadata":{"labels":{"l":"1"}}}`),
			patch(strategic, "templates/t", `{"metadata":{"labels":{"l":"2"}}}`),
			patch(jsonPatch, "templates/t", `[{"op":"add","path":"/metadata/labels/l","value":"3"}]`),
			patch(mergePatch, "templates/t", `{"spec":{"metadata":{"labels":{"of":"another"}}}}`),
			patch(mergePatch, "claims/a", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"labels":{"k":"1"}}}`),
			patch(mergePatch, "claims/a", `{"apiVersion":"resource.k8s.io/v1","metadata":{"labels":{"k":"1"}}}`),
			patch(mergePatch, "claims/a", `{"kind":"Other","metadata":{"labels":{"k":"1"}}}`),
			patch(mergePatch, "claims/a?fieldValidation=Strict", `{"spec":{"nonsense":1},"metadata":{"more":2}}`),
			patch(mergePatch, "claims/a?fieldValidation=Warn", `{"metadata":{"labels":{"w":"1"},"more":2}}`),
			patch(mergePatch, "claims/a", `{"nonsense":1,"metadata":{"labels":{"w":"2"}}}`),
			patch(mergePatch, "claims/a?fieldValidation=Ignore", `{"nonsense":1,"metadata":{"labels":{"w":"3"}}}`),
		}
	},
	"patches of classes and slices": func(v shape) []step {
		return []step{
			create("classes", v.class("a-<n>", "")),
			patch(mergePatch, "classes/a-<n>", `{"spec":{"selectors":[{"cel":{"expression":"device.driver == \"x\""}}]}}`),
			patch(strategic, "classes/a-<n>", `{"spec":{"config":[{"opaque":{"driver":"d.example.com","parameters":{"kind":"P","apiVersion":"p/v1"}}}]}}`),
			patch(jsonPatch, "classes/a-<n>", `[{"op":"remove","path":"/spec/config"}]`),
			patch(jsonPatch, "classes/a-<n>", `[{"op":"replace","path":"/spec/selectors/0/cel/expression","value":"nonsense ("}]`),
			patch(mergePatch, "classes/a-<n>", `{"spec":{"extendedResourceName":"example.com/gpu"}}`),
			get("classes/a-<n>"),
			create("slices", v.slice("a-<n>", "", v.device("d0", `"attributes":{"m":{"string":"x"}}`))),
			patch(strategic, "slices/a-<n>", `{"spec":{"devices":[`+v.device("d1", "")+`]}}`),
			patch(mergePatch, "slices/a-<n>", `{"spec":{"devices":[`+v.device("d0", `"attributes":{"m":{"string":"y"}}`)+`,`+v.device("d1", "")+`]}}`),
			patch(mergePatch, "slices/a-<n>", `{"spec":{"pool":{"generation":2}}}`),
			patch(mergePatch, "slices/a-<n>", `{"spec":{"driver":"other.example.com"}}`),
			patch(jsonPatch, "slices/a-<n>", `[{"op":"remove","path":"/spec/devices/1"}]`),
			patch(mergePatch, "slices/a-<n>", `{"metadata":{"labels":{"l":"1"}}}`),
			get("slices/a-<n>"),
			remove("classes/a-<n>"), remove("slices/a-<n>"),
		}
	},
}

var applies = map[string]scenario{
	"apply": func(v shape) []step {
		fragment := func(metadata, spec string) string {
			return `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"` + metadata + `}` + spec + `}`
		}
		spec := `,"spec":` + v.spec()
		return []step{
			patch(applyPatch, "claims/a?fieldManager=one", fragment(`,"labels":{"l":"1"}`, spec)),
			patch(applyPatch, "claims/a?fieldManager=one", fragment(`,"labels":{"l":"1"}`, spec)), // nothing new
			patch(applyPatch, "claims/a?fieldManager=one", fragment(`,"labels":{"l":"2","k":"1"}`, spec)),
			patch(applyPatch, "claims/a?fieldManager=one", fragment(`,"labels":{"l":"2"}`, spec)), // k goes
			patch(applyPatch, "claims/a?fieldManager=two", fragment(`,"labels":{"l":"3"}`, "")),
			patch(applyPatch, "claims/a?fieldManager=two&force=true", fragment(`,"labels":{"l":"3"}`, "")),
			patch(applyPatch, "claims/a?fieldManager=two", fragment("", spec)), // a list that another manager has whole
			patch(applyPatch, "claims/a?fieldManager=two&dryRun=All", fragment(`,"annotations":{"a":"b"}`, "")),
			patch(applyPatch, "claims/a", fragment(`,"labels":{"l":"1"}`, spec)), // without a manager
			patch(applyPatch, "claims/a?fieldManager=three", `{"metadata":{"name":"a"}}`),
			patch(applyPatch, "claims/a?fieldManager=three", `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"}}`),
			patch(applyPatch, "claims/a?fieldManager=three", `{"apiVersion":"<v>","kind":"Other","metadata":{"name":"a"}}`),
			patch(applyPatch, "claims/a?fieldManager=three", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"b"}}`),
			patch(applyPatch, "claims/a?fieldManager=three", "apiVersion: <v>\nkind: ResourceClaim\nmetadata:\n  annotations:\n    yaml: \"true\"\n"),
			patch(applyPatch, "claims/a?fieldManager=three", "a: [b"),
			patch(applyPatch, "claims/a?fieldManager=three&fieldValidation=Strict", fragment("", `,"nonsense":1`)),
			patch(applyPatch, "claims/a?fieldManager=three", fragment("", `,"spec":{"devices":{"requests":[`+v.asks("gpu", `"deviceClassName":"gpu.example.com","nonsense":1`)+`]}}`)),
			patch(applyPatch, "claims/a?fieldManager=three", fragment(`,"managedFields":[{"manager":"x"}]`, "")),
			patch(applyPatch, "claims/a?fieldManager=three", fragment(`,"resourceVersion":"1"`, "")),
			patch(applyPatch, "claims/a/status?fieldManager=four", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"status":`+allocated("")+`}`),
			patch(applyPatch, "claims/a/status?fieldManager=five", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"`+someUID+`"}]}}`),
			patch(applyPatch, "claims/a/status?fieldManager=five", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"status":{}}`),
			get("claims/a"),
			put("claims/a", v.claim("a", `,"managedFields":[]`)), // forget who has what
			get("claims/a"),
		}
	},
	"apply to the others": func(v shape) []step {
		return []step{
			patch(applyPatch, "templates/a?fieldManager=one", v.template("a", "")),
			patch(applyPatch, "templates/a?fieldManager=one", v.template("a", `,"labels":{"l":"1"}`)),
			patch(applyPatch, "classes/a-<n>?fieldManager=one", v.class("a-<n>", "")),
			patch(applyPatch, "classes/a-<n>?fieldManager=two", v.class("a-<n>", `,"labels":{"l":"1"}`)),
			patch(applyPatch, "slices/a-<n>?fieldManager=one", v.slice("a-<n>", "", v.device("d0", `"attributes":{"m":{"string":"x"}}`))),
			patch(applyPatch, "slices/a-<n>?fieldManager=one", v.slice("a-<n>", "", v.device("d0", `"attributes":{"m":{"string":"y"}}`))),
			patch(applyPatch, "slices/a-<n>?fieldManager=two", v.slice("a-<n>", "", v.device("d0", `"attributes":{"m":{"string":"z"}}`))),
			get("slices/a-<n>"), get("classes/a-<n>"), get("templates/a"),
			remove("classes/a-<n>"), remove("slices/a-<n>"),
		}
	},
}

var statuses = map[string]scenario{
	"the status of a claim": func(v shape) []step {
		status := func(metadata, status string) string {
			return `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"` + metadata + `},"spec":` + v.spec() + `,"status":` + status + `}`
		}
		reserved := `,"reservedFor":[{"resource":"pods","name":"p","uid":"` + someUID + `"}]`
		devices := `,"devices":[{"driver":"gpu.example.com","pool":"p","device":"d0","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2020-01-01T00:00:00Z","reason":"R","message":"m"}],"data":{"a":[1,2]},"networkData":{"interfaceName":"eth0","ips":["10.0.0.1/24"]}}]`
		return []step{
			create("claims", v.claim("a", "")),
			get("claims/a/status"),
			put("claims/a/status", status("", allocated(""))),
			put("claims/a/status", status(`,"resourceVersion":"1"`, allocated(""))),
			put("claims/a/status", status(`,"resourceVersion":"<rv a>","labels":{"not":"taken"}`, allocated(reserved))),
			put("claims/a/status", status("", allocated(reserved+devices))),
			put("claims/a/status?dryRun=All", status("", `{}`)),
			put("claims/a/status", status("", `{"reservedFor":[{"resource":"pods","name":"p","uid":"`+someUID+`"}]}`)), // an allocation may not go while it is reserved
			put("claims/a/status", status("", `{"allocation":{"devices":{"results":[{"request":"z","driver":"d","pool":"p","device":"d"}]}}}`)),
			put("claims/a/status", status("", `{"allocation":{"devices":{"results":[{"request":"gpu","driver":"Not A Driver","pool":"","device":""}]}}}`)),
			patch(mergePatch, "claims/a/status", `{"status":{"devices":null}}`),
			patch(strategic, "claims/a/status", `{"status":{"reservedFor":[{"resource":"pods","name":"q","uid":"6a1f2c34-0000-4000-8000-000000000002"}]}}`),
			patch(strategic, "claims/a/status", `{"status":{"reservedFor":[{"$patch":"delete","uid":"6a1f2c34-0000-4000-8000-000000000002"}]}}`),
			patch(jsonPatch, "claims/a/status", `[{"op":"add","path":"/status/reservedFor/-","value":{"resource":"pods","name":"r","uid":"6a1f2c34-0000-4000-8000-000000000003"}}]`),
			patch(jsonPatch, "claims/a/status", `[{"op":"test","path":"/status/reservedFor/0/name","value":"x"}]`),
			patch(mergePatch, "claims/a/status", `{"metadata":{"labels":{"not":"taken"}},"spec":null}`),
			patch(mergePatch, "claims/a/status?fieldValidation=Strict", `{"status":{"nonsense":1}}`),
			patch(mergePatch, "claims/a/status", `{"status":{"nonsense":1}}`),
			patch(mergePatch, "claims/a", `{"status":null}`), // not here
			put("claims/a", v.claim("a", `,"labels":{"l":"1"}`)),
			get("claims/a"),
			get("claims/a/status"),
			put("claims/a/status", status("", `{}`)),
			put("claims/missing/status", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"missing"},"status":{}}`),
			patch(mergePatch, "claims/missing/status", `{"status":{}}`),
			create("claims/a/status", status("", `{}`)),
			remove("claims/a/status"),
			put("templates/a/status", `{}`),
		}
	},
	"an allocation with what newer releases can say": func(v shape) []step {
		result := `{"request":"gpu","driver":"gpu.example.com","pool":"p","device":"d0","shareID":"` + someUID + `","consumedCapacity":{"memory":"1Gi"},"bindingConditions":["a.example.com/b"],"bindingFailureConditions":["a.example.com/c"],"tolerations":[{"operator":"Exists"}],"adminAccess":false}`
		return []step{
			create("claims", v.claim("a", "")),
			put("claims/a/status", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a"},"status":{"allocation":{"devices":{"results":[`+result+`],"config":[{"source":"FromClass","opaque":{"driver":"d.example.com","parameters":{"kind":"P","apiVersion":"p/v1","n":1.50}}}]},"allocationTimestamp":"2020-01-01T00:00:00Z"}}}`),
			get("claims/a"),
			put("claims/a", v.claim("a", `,"labels":{"l":"1"}`)),
			get("claims/a"),
		}
	},
}
