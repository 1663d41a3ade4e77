package batch

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/migrate"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// converted returns the output of a text that is converted in parts of a size.
func converted(t *testing.T, text, format string, strict bool, size int) (out, printed string, failed int) {
	t.Helper()
	var output, errs bytes.Buffer
	o := Options{Options: migrate.Options{
		To: release.Target{Version: "v1alpha3"}, Groups: claims.Groups{api.Group}, Validate: strict,
	}}
	in := input.Input{Files: []string{"-"}, LeaveUnparsed: true}
	s := newStream(t.Context(), &in, o, yamldoc.NewWriter(&output, format), &progress{w: &errs})
	s.partSize = size
	must.Do(t, in.Each(strings.NewReader(text), s.addUnreadable, s.addDocument))
	must.Do(t, s.end())
	must.Do(t, s.output.Flush())
	s.run.printer.Summarize("")
	fmt.Fprintln(&errs, streamSummary(s.run.counts, "v1alpha3", &s.run.printer))
	return output.String(), errs.String(), s.run.printer.Failed
}

// sameInParts checks that the output does not depend on the size of parts: one part, several, and one for each
// document.
func sameInParts(t *testing.T, text string) (json string, failed int) {
	t.Helper()
	for _, format := range yamldoc.Formats() {
		for _, strict := range []bool{true, false} {
			out, printed, n := converted(t, text, format, strict, len(text)+1)
			for _, size := range []int{1, 700, 10_000} {
				gotOut, gotPrinted, gotN := converted(t, text, format, strict, size)
				if gotOut != out || gotPrinted != printed || gotN != n {
					t.Fatalf("%s in parts of %d, %d instead of %d failed (-in one part +in many):\n%s%s", format, size,
						gotN, n, cmp.Diff(out, gotOut), cmp.Diff(printed, gotPrinted))
				}
			}
			json = out
			if strict {
				failed = n
			}
		}
	}
	return json, failed
}

// TestErrorsDoNotPileUp checks that parts have a limited number of errors.
func TestErrorsDoNotPileUp(t *testing.T) {
	var printed bytes.Buffer
	o := Options{Options: migrate.Options{To: release.Target{Version: "v1alpha3"}}}
	w := yamldoc.NewWriter(io.Discard, "json")
	s := newStream(t.Context(), &input.Input{}, o, w, &progress{w: &printed})
	for i := range 10_000 {
		s.addUnreadable(fmt.Errorf("%d", i))
		if s.next != nil && len(s.next.convert) > defaultPartSize/partOverhead {
			t.Fatalf("%d errors wait", len(s.next.convert))
		}
	}
	must.Do(t, s.end())
	got := lines(printed.String())
	if len(got) != 10_000 || got[9_999] != "9999 (unreadable-file)" || s.run.printer.Failed != 10_000 {
		t.Errorf("%d lines are printed, %d failed", len(got), s.run.printer.Failed)
	}
}

func TestCorpusIsTheSameInParts(t *testing.T) {
	files, err := filepath.Glob("../../internal/conversion/testdata/corpus/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		sameInParts(t, string(text))
	}
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

var nameInOutput = regexp.MustCompile(`"name":"n-(\d+)"`)

// TestGeneratedStreamsAreTheSameInParts converts generated streams with documents of all kinds and errors. The output
// has the order of the input, and does not depend on the parts.
func TestGeneratedStreamsAreTheSameInParts(t *testing.T) {
	for seed := range uint64(10) {
		g := generator{Rand: rand.New(rand.NewPCG(seed, 1))}
		json, failed := sameInParts(t, g.stream(30))
		if failed == 0 {
			t.Errorf("seed %d: nothing failed", seed)
		}
		var names []int
		for _, m := range nameInOutput.FindAllStringSubmatch(json, -1) {
			n, _ := strconv.Atoi(m[1])
			names = append(names, n)
		}
		if len(names) < 20 || !slices.IsSorted(names) {
			t.Errorf("seed %d: names %v", seed, names)
		}
	}
}

// generator generates streams. The names of objects are consecutive numbers.
type generator struct {
	*rand.Rand
	names int
}

func (g *generator) stream(documents int) string {
	var b strings.Builder
	for range documents {
		switch g.IntN(8) {
		case 0:
			b.WriteString("---\n" + g.yaml())
		case 1:
			b.WriteString("---\n# nothing\n---\nnull\n---\n" + g.yaml() + "...\n")
		case 2:
			b.WriteString("---\na: b\n c: " + g.object() + "\n---\n")
		case 3:
			b.WriteString("---\n" + g.list("v1", "List", g.object))
		case 4:
			b.WriteString("---\n" + g.list("resource.k8s.io/v1alpha2", "ResourceClaimList", g.untyped))
		case 5:
			b.WriteString("---\napiVersion: v1\nkind: List\nitems:\n- " + g.object() + "\n- " + g.object() + "\n")
		default:
			b.WriteString("---\n" + g.object() + "\n" + g.object() + g.object() + "\n")
		}
	}
	return b.String()
}

func (g *generator) list(apiVersion, kind string, item func() string) string {
	var items []string
	for range g.IntN(30) {
		items = append(items, item())
	}
	switch g.IntN(6) {
	case 0:
		items = append(items, `{"broken":}`)
	case 1:
		items = append(items, g.list("v1", "List", g.object))
	}
	all := strings.Join(items, ",\n")
	if g.IntN(2) == 0 {
		return fmt.Sprintf(`{"apiVersion":%q,"items":[%s],"kind":%q}`+"\n", apiVersion, all, kind)
	}
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{ "a": "b" },"items":[%s]}`+"\n", apiVersion, kind, all)
}

func (g *generator) name() string {
	g.names++
	return fmt.Sprintf(`"metadata":{"name":"n-%d","annotations":{"a":%q}}`, g.names, strings.Repeat("x ", g.IntN(100)))
}

func (g *generator) yaml() string {
	g.names++
	return fmt.Sprintf("apiVersion: resource.k8s.io/v1alpha%d\nkind: ResourceClaim # kept where nothing "+
		"moves\nmetadata: {name: n-%d}\nspec:\n  resourceClassName: %s\n",
		1+g.IntN(2), g.names, []string{"x", "5"}[g.IntN(2)])
}

func (g *generator) untyped() string {
	return fmt.Sprintf(`{%s,"spec":{"resourceClassName":%s}}`, g.name(), []string{`"x"`, `5`}[g.IntN(8)/7])
}

func (g *generator) object() string {
	switch g.IntN(12) {
	case 0:
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap", %s}`, g.name())
	case 1:
		return fmt.Sprintf(`{"kind":"ResourceClaim",%s}`, g.name())
	case 2:
		return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim",%s,`+
			`"spec":{"resourceClassName":[]}}`,
			g.name())
	case 3:
		return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim",%s,`+
			`"spec":{"resourceClassName":"x","more":1}}`,
			g.name())
	case 4:
		return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim",%s,"spec":{}}`, g.name())
	case 6:
		return fmt.Sprintf(`{"apiVersion":"claims.example.com/v1alpha2","kind":"ResourceClaim",%s,"spec":{}}`, g.name())
	case 7:
		return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim",%s,`+
			`"spec":{"resourceClassName":"x","parametersRef":{"kind":"K","name":"n"}}}`,
			g.name())
	case 8:
		return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClass",%s}`, g.name())
	case 5:
		return fmt.Sprintf("{\n  \"apiVersion\": \"resource.k8s.io/v1alpha2\",\n  \"kind\": "+
			"\"ResourceClaimTemplate\",\n  %s,\n  \"spec\": {\"spec\": {\"resourceClassName\": \"x\"}}\n}",
			g.name())
	}
	return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim",%s,`+
		`"spec":{"resourceClassName":"x"}}`,
		g.name())
}
