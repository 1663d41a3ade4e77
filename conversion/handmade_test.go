package conversion

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1alpha2step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha2"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

const (
	classC       = `{"resourceClassName":"c"}`
	immediateC   = `{"resourceClassName":"c","allocationMode":"Immediate"}`
	oneHandle    = `{"driverName":"d","allocation":{"resourceHandles":[{"driverName":"d","data":"x"}],"shareable":true}}`
	oneHandleOld = `{"driverName":"d","allocation":{"resourceHandle":"x","shareable":true}}`
)

type (
	claimV1alpha1 = chain.Of[v1alpha1.ResourceClaimSpec, v1alpha1.ResourceClaimStatus]
	claimV1alpha2 = chain.Of[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus]
)

// handMade are leftovers that have the digest of what they complete, which anyone can compute. Each says what is wrong with
// it, or nothing when it counts.
func handMade() map[string]struct{ version, spec, status, value, want string } {
	type row = struct{ version, spec, status, value, want string }
	rows := map[string]row{}
	add := func(name string, r row) { rows[name] = r }
	spec := func(name, visible, value, want string) { add("spec: "+name, row{"v1alpha2", visible, "", value, want}) }
	status := func(name, value, want string) {
		add("status: "+name, row{"v1alpha2", classC, oneHandle, value, want})
	}
	handles := func(name, items, want string) {
		add("handles: "+name, row{"v1alpha1", classC, oneHandleOld, `{"handles":[` + items + `]}`, want})
	}
	many := func(n int, format string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
		}
		return strings.Join(items, ",")
	}
	const entry, first = `{"opaque":{"driver":"d","parameters":{"n":%d}}}`, `{"name":"a","deviceClassName":"c"}`
	const tooMany = "more requests, constraints or configuration entries than v1alpha3 allows"

	spec("another request", classC, `{"requests":[`+first+`]}`, "")
	spec("a member that is not known", classC, `{"requests":[`+first+`],"more":1}`, "is malformed")
	spec("of no spec", "", `{"requests":[`+first+`]}`, "there is no spec to complete")
	spec("of another class", classC, `{"requests":[{"name":"a","deviceClassName":"x"}]}`, "its first request is of another class")
	spec("that says nothing", classC, `{"requests":[{"name":"claim","deviceClassName":"c"}]}`, "there is nothing to complete")
	spec("an entry of ours that is not there", classC, `{"requests":[`+first+`],"config":[`+many(1, entry)+`],"classicAt":0}`, "classicAt is not a place")
	spec("an entry of ours before another", immediateC, `{"requests":[`+first+`],"config":[`+many(1, entry)+`],"classicAt":0}`, "")
	spec("an entry of ours behind the last", immediateC, `{"requests":[`+first+`],"config":[`+many(1, entry)+`],"classicAt":1}`, "classicAt is not a place")
	spec("an entry of ours before the first", immediateC, `{"requests":[`+first+`],"config":[`+many(1, entry)+`],"classicAt":-1}`, "classicAt is not a place")
	for n, want := range map[int]string{32: "", 33: tooMany} {
		spec(fmt.Sprint(n, " requests"), classC, `{"requests":[`+many(n, `{"name":"r%d","deviceClassName":"c"}`)+`]}`, want)
		spec(fmt.Sprint(n, " constraints"), classC, `{"requests":[`+first+`],"constraints":[`+many(n, `{"matchAttribute":"a/b%d"}`)+`]}`, want)
		spec(fmt.Sprint(n, " entries"), classC, `{"requests":[`+first+`],"config":[`+many(n, entry)+`]}`, want)
		spec(fmt.Sprint(n-1, " entries beside ours"), immediateC, `{"requests":[`+first+`],"config":[`+many(n-1, entry)+`]}`, want)
	}
	spec("a request that is no label", classC, `{"requests":[{"name":"a.b","deviceClassName":"c"}]}`, "a request has no valid name of its own")
	spec("two requests of one name", classC, `{"requests":[`+first+`,`+first+`]}`, "a request has no valid name of its own")
	spec("an entry of no driver", classC, `{"requests":[`+first+`],"config":[{"opaque":{"driver":"","parameters":{}}}]}`, "configuration entry 0 is not valid")
	spec("an entry that is not opaque", classC, `{"requests":[`+first+`],"config":[{}]}`, "configuration entry 0 is not valid")
	spec("parameters that are no object", classC, `{"requests":[`+first+`],"config":[{"opaque":{"driver":"d","parameters":[]}}]}`, "configuration entry 0 is not valid")

	const result = `{"request":"r","driver":"d","pool":"p","device":"x%d"}`
	status("another controller", `{"controller":"e.example.com"}`, "")
	status("no controller", `{"controller":""}`, "")
	status("a controller that is none", `{"controller":"-"}`, "the controller has no valid name")
	status("what is visible", `{"config":[{"native":0}]}`, "")
	status("what is visible twice", `{"config":[{"native":0},{"native":0}]}`, "")
	status("no such item", `{"config":[{"native":1}]}`, "item 0 names no item of the visible list")
	status("an item before the first", `{"config":[{"native":-1}]}`, "item 0 names no item of the visible list")
	status("an item that says nothing", `{"config":[{}]}`, "item 0 must be either native or whole")
	status("an item that says two things", `{"config":[{"native":0,"item":{"source":"FromClass","opaque":{"driver":"d","parameters":{}}}}]}`, "item 0 must be either native or whole")
	status("an entry without a source", `{"config":[{"item":{"opaque":{"driver":"d","parameters":{}}}}]}`, "configuration entry 0 has no valid source")
	status("an entry of a class", `{"config":[{"item":{"source":"FromClass","opaque":{"driver":"d","parameters":{}}}}]}`, "")
	status("an entry of a claim", `{"config":[{"item":{"source":"FromClaim","opaque":{"driver":"d","parameters":{}}}}]}`, "")
	status("an entry that is not opaque", `{"config":[{"item":{"source":"FromClaim"}}]}`, "configuration entry 0 is not valid")
	status("requests of an entry", `{"config":[{"native":0}],"configRequests":[["r"]]}`, "")
	status("requests of too few entries", `{"config":[{"native":0},{"native":0}],"configRequests":[["r"]]}`, "configRequests is not a list for each entry")
	status("requests of no entry", `{"configRequests":[["r"]]}`, "configRequests is not a list for each entry")
	status("an entry of ours before another", `{"classicAt":0}`, "")
	status("an entry of ours behind the last", `{"classicAt":1}`, "classicAt is not a place")
	status("an entry of ours before the first", `{"classicAt":-1}`, "classicAt is not a place")
	status("1024 entries", `{"config":[`+many(1024, `{"native":0}`)+`]}`, "")
	status("1025 entries", `{"config":[`+many(1025, `{"native":0}`)+`]}`, "is malformed")
	status("32 results", `{"results":[`+many(32, result)+`]}`, "")
	status("33 results", `{"results":[`+many(33, result)+`]}`, "33 results, at most 32 are allowed")
	for _, broken := range []string{`"request":"r"`, `"driver":"d"`, `"pool":"p"`, `"device":"x0"`} {
		name, _, _ := strings.Cut(broken, ":")
		status("a result of no "+name, `{"results":[`+strings.Replace(many(1, result), broken, name+`:""`, 1)+`]}`, "result 0 is not valid")
	}

	add("handles: of a spec", row{"v1alpha1", classC, "", `{}`, "nothing of this spec can be left over"})
	const structured = `{"item":{"driverName":"e","structuredData":{%s}}}`
	handles("another one", `{"native":0},{"item":{"driverName":"e","data":"y"}}`, "")
	handles("one of no driver", `{"native":0},{"item":{"data":"y"}}`, "")
	handles("structured ones", `{"native":0},`+fmt.Sprintf(structured, `"nodeName":"n.example.com","results":[{"namedResources":{"name":"a.b"}}]`), "")
	handles("structured ones of no node", `{"native":0},`+fmt.Sprintf(structured, `"results":[{"namedResources":{"name":"a"}}]`), "")
	handles("other ones than are visible", `{"item":{"driverName":"d","data":"y"}}`, "the handles are not those")
	handles("of too many", `{"native":0},`+many(32, `{"item":{"driverName":"e","data":"y"}}`), "33 items, at most 32 are allowed")
	handles("as many as there may be", `{"native":0},`+many(31, `{"item":{"driverName":"e","data":"y"}}`), "")
	handles("the visible one twice", many(2, `{"native":0}`), "item 1 is named twice")
	handles("a driver that is none", `{"native":0},{"item":{"driverName":"-","data":"y"}}`, "handle 1 has no valid driver name")
	handles("as much data as there may be", `{"native":0},{"item":{"driverName":"e","data":"`+strings.Repeat("y", 16384)+`"}}`, "")
	handles("too much data", `{"native":0},{"item":{"driverName":"e","data":"`+strings.Repeat("y", 16385)+`"}}`, "handle 1 has 16385 bytes of data")
	handles("data and structured data", `{"native":0},{"item":{"driverName":"e","data":"y","structuredData":{}}}`, "handle 1 has both data and structured data")
	handles("a node that is none", `{"native":0},`+fmt.Sprintf(structured, `"nodeName":"-"`), "handle 1 has no valid node name")
	handles("a resource that is none", `{"native":0},`+fmt.Sprintf(structured, `"results":[{}]`), "result 0 of handle 1 has no valid name")
	handles("a resource of no valid name", `{"native":0},`+fmt.Sprintf(structured, `"results":[{"namedResources":{"name":"-"}}]`), "result 0 of handle 1 has no valid name")
	return rows
}

// A leftover brings in nothing that its version refuses, whoever made it: in an annotation it is ignored; the field is the
// server's own, so there the write is refused.
func TestLeftoversThatBreakARuleDoNotCount(t *testing.T) {
	for name, test := range handMade() {
		t.Run(name, func(t *testing.T) {
			object := func(annotations, field string) []byte {
				o := `{"apiVersion":"resource.k8s.io/` + test.version + `","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"` + annotations + `}`
				if test.spec != "" {
					o += `,"spec":` + test.spec
				}
				if test.status != "" {
					o += `,"status":` + strings.TrimSuffix(test.status, "}") + field + `}`
				}
				return []byte(o + `}`)
			}
			w := readObject(t, object("", ""))
			c, _, err := w.readClaim(indexOf(test.version))
			if err != nil {
				t.Fatal(err)
			}
			key, visibleSpec, visibleStatus := links[indexOf(test.version)].Key, any(nil), any(nil)
			switch c := c.(type) {
			case *claimV1alpha1:
				visibleSpec, visibleStatus = v1alpha2step.Step.VisibleSpec(*c), v1alpha2step.Step.VisibleStatus(*c)
			case *claimV1alpha2:
				visibleSpec, visibleStatus = v1alpha3step.Step.VisibleSpec(*c), v1alpha3step.Step.VisibleStatus(*c)
			}
			a := leftover.Annotation{Spec: &leftover.Part{Digest: leftover.Digest(visibleSpec), Value: []byte(test.value)}}
			if test.status != "" {
				a = leftover.Annotation{Status: &leftover.Part{Digest: leftover.Digest(visibleStatus), UID: "u", Value: []byte(test.value)}}
			}
			_, report, err := JSON(object(`,"annotations":{"`+key.Annotation+`":`+string(kjson.Quote(string(encode(&a))))+`}`, ""), "v1alpha3", Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(report.Ignored, "\n"); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("ignored %q, want %q", got, test.want)
			}
			if test.status == "" {
				return
			}
			a.Status.UID = ""
			field := `{"` + key.Step + `":` + string(encode(a.Status)) + `}`
			if test.want != "" { // of several things that are wrong the first is said
				field = strings.TrimSuffix(field, "}") + `,"v9-not-in-v8":{"digest":"","value":null}}`
			}
			_, _, err = JSON(object("", `,"claimbridgeLeftover":`+string(kjson.Quote(field))), "v1alpha3", Options{})
			if errors.Is(err, ErrIncomplete) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}
