//go:build e2e

package future

import (
	"slices"
	"strings"
	"testing"
)

// not run: what holds types against upstream's, which has no such field, and, for time's sake, old versions between each other.
const not = "-skip=^TestTypesAreUpstreams$|^TestOurTypesHaveUpstreamsFieldsAndOneMore$|^TestLaws$/^v1alpha._to_v1alpha"

// A version and a release that do not exist pass all that ranges over those that do, and a place that is forgotten fails the build, or the
// test that its row names.
func TestAVersionAndAReleaseThatDoNotExist(t *testing.T) {
	tr := plant(t, append(placesOf(t, "release"), placesOf(t, "version")...))
	for _, suite := range [][]string{
		{
			"-run=Laws|Step|Golden|Explain|Move|Corpus|Samples|Field|Strict|Opened|Reading|Times|Unknown|" +
				"Rule|Example|Honest|Native|Version|Release|Dropped|Gated|EveryWrite|TheVersion|TheText|TestServeConverts",
			"./conversion", "./conversion/lens", "./validation", "./config", "./cmd/claimbridge", "./test",
		},
		{"./api", "./webhook/internal/review", "./test/objects", "./test/next", "./bridge/...", "./cmd/claimbridge/internal/release", "./internal/explain"},
		{"-tags=e2e", "./test/install", "-run=TestChartsRenderTheManifests"},
	} {
		if output, err := tr.test(t, append(suite, not)...); err != nil {
			t.Errorf("%v: %v\n%s", suite, err, output)
		}
	}
	for i, p := range tr.places {
		t.Run(p.name, func(t *testing.T) { tr.forget(t, i) })
	}
}

// forget a place, and remember it.
func (tr *tree) forget(t *testing.T, at int) {
	t.Helper()
	p, files := tr.places[at], []string{}
	for _, e := range p.edits {
		files = append(files, e.file)
	}
	for file, m := range tr.made {
		if m.by == at {
			files = append(files, file)
		}
	}
	defer tr.write(t, files, -1)
	tr.write(t, files, at)
	name := strings.Trim(p.red, "`")
	arguments, want := append(slices.Clone(p.asked), "-run=^"+name+"$"), "--- FAIL: "+name
	if p.red == "the compiler" {
		want = " failed]" // to build, or to find a package
	}
	if output, err := tr.test(t, arguments...); err == nil || !strings.Contains(output, want) {
		t.Errorf("%s is forgotten, and go test %v says %v:\n%s", p.in, arguments, err, output)
	}
}
