package conversion

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json" // as an API server reads numbers

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/test/objects"
)

// walk is a stored claim that is written repeatedly through any version, with the conversion webhook alone. A write of
// the main resource takes metadata and spec from the client, and the status as converted to the version. A status write
// takes only the status.
type walk struct {
	testing.TB
	*rand.Rand
	storage string
	stored  []byte
	donor   []byte // another claim, in v1
}

// step is a change of the claim by a client, and whether it writes the status.
type step struct {
	status bool
	// idle changes no visible data, so no stored data changes.
	idle bool
	// spec also changes the spec, or its hidden data.
	spec bool
	// changes one member of the status. The others must stay.
	changes string
	// forges annotations. In the stored version, no conversion corrects them.
	forges bool
	edit   func(w *walk, version string, claim map[string]any)
}

var walkSteps = map[string]step{
	"nothing":    {idle: true},
	"its status": {idle: true, status: true},
	"a label": {edit: func(w *walk, _ string, claim map[string]any) {
		memberOf(claim, "metadata", "labels")["l"] = fmt.Sprint(w.IntN(9))
	}},
	"a reservation": {status: true, changes: "reservedFor", edit: func(w *walk, _ string, claim map[string]any) {
		memberOf(claim, "status")["reservedFor"] = []any{
			map[string]any{"resource": "pods", "name": "p", "uid": fmt.Sprint(w.IntN(9))},
		}
	}},
	"a deallocation": {
		status: true,
		edit:   func(_ *walk, _ string, claim map[string]any) { delete(memberOf(claim, "status"), "allocation") },
	},
	"its status, by a client that does not know the field": {idle: true, status: true, edit: func(_ *walk, _ string,
		claim map[string]any,
	) {
		if status, ok := claim["status"].(map[string]any); ok {
			delete(status, "claimbridgeLeftover")
		}
	}},
	"no change, without the preserved status": {
		forges: true, idle: true, edit: withAnnotation(preserve.StatusAnnotation, ""),
	},
	"another preserved status": {
		forges: true,
		idle:   true,
		edit:   withAnnotation(preserve.StatusAnnotation, `{"uid":"UID","status":`+forgedStatus+`}`),
	},
	"a preserved status without a uid": {
		forges: true,
		idle:   true,
		edit:   withAnnotation(preserve.StatusAnnotation, `{"status":`+forgedStatus+`}`),
	},
	"a malformed preserved status": {
		forges: true,
		idle:   true,
		edit:   withAnnotation(preserve.StatusAnnotation, `{"uid":"UID","status":`),
	},
	"another preserved spec": {forges: true, spec: true, edit: withAnnotation(preserve.SpecAnnotation, forgedSpec)},
	"no preserved spec":      {forges: true, spec: true, edit: withAnnotation(preserve.SpecAnnotation, "")},
	"another class": {forges: true, spec: true, edit: func(_ *walk, _ string, claim map[string]any) {
		if spec := memberOf(claim, "spec"); spec["resourceClassName"] != nil {
			spec["resourceClassName"] = "other.example.com"
		}
	}},
	"another status in the field": {forges: true, status: true, edit: func(_ *walk, _ string, claim map[string]any) {
		memberOf(claim, "status")["claimbridgeLeftover"] = "v1:" + forgedStatus
	}},
	"the preserved status of another claim, under this uid": {forges: true, idle: true, edit: func(
		w *walk, version string, claim map[string]any,
	) {
		donorMetadata := memberOf(w.in(w.donor, version), "metadata")
		if value, ok := memberOf(donorMetadata, "annotations")[preserve.StatusAnnotation].(string); ok {
			uid := fmt.Sprint(memberOf(claim, "metadata")["uid"])
			memberOf(claim, "metadata", "annotations")[preserve.StatusAnnotation] = strings.ReplaceAll(value,
				fmt.Sprint(donorMetadata["uid"]), uid)
		}
	}},
}

// withAnnotation adds an annotation to a claim, or removes it.
func withAnnotation(key, value string) func(*walk, string, map[string]any) {
	return func(_ *walk, _ string, claim map[string]any) {
		metadata := memberOf(claim, "metadata")
		memberOf(metadata, "annotations")[key] = strings.ReplaceAll(value, "UID", fmt.Sprint(metadata["uid"]))
		if value == "" {
			delete(memberOf(metadata, "annotations"), key)
		}
	}
}

// respelled has the numbers of test/objects as an API server writes them. It changes numbers that are visible in a
// version, but not those in preserved text.
var respelled = strings.NewReplacer("123456789012345678901234567890", "1.2345678901234568e+29", "12345678901234567890",
	"12345678901234567000",
	`"f":1.50`, `"f":1.5`, `"e":1e3`, `"e":1000`)

// TestChainsOfConversionsLoseNoData writes claims that were created in any version, and are stored in v1 or an old
// version, six times each. All versions can be read after each write. A write of the main resource keeps the status, a
// status write keeps the spec, and a write without changes changes nothing.
func TestChainsOfConversionsLoseNoData(t *testing.T) {
	tried := map[string]int{}
	for seed := range objects.Rounds(t) {
		walks(t, seed, tried)
	}
	t.Log(tried)
	if len(tried) < len(walkSteps) && !testing.Short() {
		t.Errorf("only %v", tried)
	}
}

func walks(t *testing.T, seed uint64, tried map[string]int) {
	random := rand.New(rand.NewPCG(seed, 1))
	names := slices.Sorted(maps.Keys(walkSteps))
	for range count(t) {
		source := objects.New(random.Uint64())
		w := &walk{TB: t, Rand: random, storage: []string{Stored(), Stored(), "v1alpha2", "v1alpha3"}[random.IntN(4)]}
		create := func(version string) []byte {
			created := encode(withDefaults(source.Object(versions[random.IntN(len(versions))], api.KindClaim)))
			stored, report, err := ConvertJSON(sortedAndEscaped(t, []byte(respelled.Replace(string(created)))), version,
				Options{})
			if err != nil || report.Incomplete != "" {
				return nil
			}
			return stored
		}
		w.stored = create(w.storage)
		w.donor = create(Stored())
		if w.stored == nil || w.donor == nil {
			continue
		}
		for range 6 {
			what := names[random.IntN(len(names))]
			tried[what]++
			w.take(what, walkSteps[what], versions[random.IntN(len(versions))])
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

func (w *walk) take(what string, s step, version string) {
	w.Helper()
	if s.forges && version == w.storage {
		return
	}
	before := w.in(w.stored, Stored())
	written, claim := w.in(w.stored, version), w.in(w.stored, version)
	if memberOf(written, "metadata", "labels")[preserve.IncompleteLabel] != nil {
		return // other tests write incomplete copies
	}
	if s.edit != nil {
		s.edit(w, version, claim)
	}
	if s.status {
		written["status"] = claim["status"]
		if claim["status"] == nil {
			delete(written, "status")
		}
	} else {
		written["metadata"], written["spec"] = claim["metadata"], claim["spec"]
	}
	text := sortedAndEscaped(w.TB.(*testing.T), encode(written))
	stored, report, err := ConvertJSON(text, w.storage, Options{Inspect: true})
	if err != nil {
		w.Fatalf("%s through %s: %v\n%s", what, version, err, clip(text))
	}
	if warnings := len(report.Ignored) + len(report.Stale) + len(report.Findings); warnings > 0 && !s.forges {
		w.Errorf("%s through %s, stored in %s: ignored %q, stale %q, found %v", what, version, w.storage,
			report.Ignored, report.Stale, report.Findings)
	}
	w.stored = stored
	after := w.in(stored, Stored())
	if s.changes != "" {
		delete(memberOf(before, "status"), s.changes)
		delete(memberOf(after, "status"), s.changes)
	}
	for name, isUnchanged := range map[string]bool{"spec": !s.spec, "status": s.idle || !s.status || s.changes != ""} {
		partBefore, partAfter := encode(before[name]), encode(after[name])
		isEmpty := len(partBefore)+len(partAfter) <= len("{}null")
		if isUnchanged && string(partBefore) != string(partAfter) && !isEmpty {
			w.Errorf("%s through %s, stored in %s: the %s was\n%s\nand is\n%s", what, version, w.storage, name,
				clip(partBefore), clip(partAfter))
		}
	}
}

func (w *walk) in(object []byte, version string) (claim map[string]any) {
	w.Helper()
	converted, _, err := ConvertJSON(sortedAndEscaped(w.TB.(*testing.T), object), version, Options{})
	if err != nil {
		w.Fatalf("convert to %s: %v\n%s", version, err, clip(object))
	}
	if err := json.Unmarshal(converted, &claim); err != nil {
		w.Fatal(err)
	}
	return claim
}

// memberOf returns the member of an object at a path. It creates missing parents.
func memberOf(o map[string]any, path ...string) map[string]any {
	for _, name := range path {
		inner, ok := o[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			o[name] = inner
		}
		o = inner
	}
	return o
}
