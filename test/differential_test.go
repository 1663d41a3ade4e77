package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/validation"
)

// TestUpstreamAgrees asks the code of each release and claimbridge about the same writes: generated objects and
// published manifests, broken in up to three places. CLAIMBRIDGE_SEED replays a run, CLAIMBRIDGE_COMPARISONS sets how
// many there are for each release and version.
func TestUpstreamAgrees(t *testing.T) {
	seed, count := objects.Seed(t), comparisons(t)
	manifests := corpus(t)
	for _, r := range pairs() {
		t.Run("Kubernetes "+r.name+" "+r.version, func(t *testing.T) {
			t.Parallel()
			u := r.start(t)
			g := generator{objects.New(seed), r.version, manifests[r.version]}
			fired, accepted, unreadable, excused := map[string]int{}, 0, 0, map[string]int{}
			unproven := func() []string {
				return slices.DeleteFunc(rulesOf(r), func(rule string) bool { return fired[rule] > 0 })
			}
			made := 0
			for ; made < count || count >= provingComparisons && made < 5*provingComparisons && len(unproven()) > 0; made++ {
				w := g.write(t)
				for _, o := range []tree{w.object, w.old} {
					dropOurField(o)
					if r.name == "1.31" {
						dropLaterFields(o)
					}
				}
				c := compare(t, u, w.request(t))
				if c.difference != "" {
					request, difference := smallest(t, u, w)
					t.Fatalf("CLAIMBRIDGE_SEED=%d, comparison %d of %s by Kubernetes %s: %s\n%s\nold: %s\nnew: %s",
						seed, made, r.version, r.name, difference, request.Operation, clip(request.OldObject), clip(request.Object))
				}
				switch {
				case c.excused != "":
					excused[c.excused]++
				case !c.decided:
					unreadable++
				case len(c.rules) == 0:
					accepted++
				}
				for rule := range c.rules {
					fired[rule]++
				}
			}
			t.Logf("Kubernetes %s, seed %d: %d comparisons, %d accepted, %d unreadable, intended differences %v",
				r.name, seed, made, accepted, unreadable, excused)
			for _, rule := range rulesOf(r) {
				t.Logf("%8d %s", fired[rule], rule)
			}
			if count >= provingComparisons {
				for _, rule := range unproven() {
					t.Errorf("rule %s of %s never fired, so this run proves nothing about it", rule, r.version)
				}
			}
		})
	}
}

// rulesOf a judge are those that its release has as well: a later field is judged as its first release does, and an older judge has none.
func rulesOf(r release) (names []string) {
	for _, rule := range validation.RulesOf(r.version, r.name) {
		if rule.Source != "claimbridge" && firstRelease(rule) <= r.name {
			names = append(names, rule.Name)
		}
	}
	return names
}

// firstRelease of Kubernetes that has a rule: of "Kubernetes 1.32 to 1.37 DS11", 1.32.
func firstRelease(r validation.Rule) string { return strings.Fields(r.Source)[1] }

// provingComparisons are enough for every rule to fire in nearly every run. Where one did not, more are made, up to five times as many.
const provingComparisons = 20_000

func comparisons(t *testing.T) int {
	t.Helper()
	return objects.Count(t, "CLAIMBRIDGE_COMPARISONS", provingComparisons)
}

func clip(text []byte) []byte {
	if len(text) > 4000 {
		return fmt.Appendf(bytes.Clone(text[:4000]), " ... %d bytes", len(text))
	}
	return text
}

// generator of writes in one version.
type generator struct {
	objects.Source
	version   string
	manifests [][]byte
}

// base is an object that is valid, or published.
func (g generator) base(t *testing.T) tree {
	t.Helper()
	if len(g.manifests) > 0 && g.IntN(20) == 0 {
		o := parse(t, g.manifests[g.IntN(len(g.manifests))])
		o["metadata"] = tree{"name": "published", "namespace": "default", "uid": "1", "resourceVersion": "1"}
		return o
	}
	kind := objects.Kinds[0]
	if g.IntN(6) == 0 {
		kind = objects.Kinds[1]
	}
	object, err := json.Marshal(g.Object(g.version, kind))
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, object)
}

// write of any operation: what was stored is mostly valid, what is sent is mostly broken.
func (g generator) write(t *testing.T) *writeTree {
	t.Helper()
	base := g.base(t)
	kind := base["kind"].(string)
	m := mutator{g.Rand, schemas[g.version+kind]}
	again := func() tree { return parse(t, render(t, base, false)) }
	w := &writeTree{object: again(), old: again(), indented: m.IntN(20) == 0}
	operations := []validation.Operation{validation.Create, validation.Update, validation.UpdateStatus, validation.UpdateStatus}
	if kind == "ResourceClaimTemplate" {
		operations = operations[:2]
	}
	w.operation = oneOf(m, operations...)
	if m.IntN(4) == 0 { // stored before there was a rule
		m.breakIn(w.old, "")
		if m.IntN(2) == 0 {
			w.object = parse(t, render(t, w.old, false))
		}
	}
	switch w.operation {
	case validation.UpdateStatus:
		if m.IntN(4) == 0 { // another status altogether; results may name requests that are not there
			if other := g.base(t); other["kind"] == kind {
				w.object["status"] = other["status"]
			}
		}
		if m.IntN(3) == 0 { // from 1.32 on the content of an allocation is checked when it is new
			delete(w.old, "status")
		}
		for range m.IntN(4) {
			m.transition(w)
		}
		for range m.IntN(3) {
			m.breakIn(w.object, "status")
		}
	default:
		if kind == "ResourceClaimTemplate" && w.operation == validation.Update && m.IntN(4) == 0 {
			m.derive(w)
		}
		for range m.IntN(4) {
			m.breakIn(w.object, oneOf(m, "spec", "spec", "spec", ""))
		}
		if kind == "ResourceClaimTemplate" && m.IntN(8) == 0 {
			m.breakIn(w.object, "spec.metadata")
		}
	}
	return w
}

// corpus of published manifests, by version.
func corpus(t *testing.T) map[string][][]byte {
	t.Helper()
	files, err := filepath.Glob("../conversion/testdata/corpus/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	byVersion := map[string][][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range bytes.SplitSeq(data, []byte("\n---\n")) {
			object, err := yaml.YAMLToJSON(document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if string(object) == "null" {
				continue
			}
			h, err := conversion.ReadHeader(object)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			byVersion[h.Version] = append(byVersion[h.Version], object)
		}
	}
	if missing := slices.DeleteFunc(conversion.Versions(), func(v string) bool { return len(byVersion[v]) > 0 }); len(missing) > 0 {
		t.Errorf("the corpus has only %v, nothing of %s", slices.Sorted(maps.Keys(byVersion)), strings.Join(missing, ", "))
	}
	return byVersion
}
