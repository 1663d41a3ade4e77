package validation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestTheListingHasEveryRuleOnce(t *testing.T) {
	listed := map[string][]string{}
	for _, l := range Listing() {
		if listed[l.Name] != nil {
			t.Errorf("%s is listed twice", l.Name)
		}
		listed[l.Name] = l.Versions
	}
	if diff := cmp.Diff(known(), listed); diff != "" {
		t.Errorf("rules (-lists +listing):\n%s", diff)
	}
}

func TestExamplesAreTheFilesOfTheRule(t *testing.T) {
	for name := range known() {
		var got []string
		refused := 0
		for i, e := range Examples(name) {
			file := filepath.Join("testdata", name, e.File)
			if data, err := os.ReadFile(file); err != nil || string(data) != e.Text {
				t.Errorf("%s is not what the example says: %v", file, err)
			}
			if e.Refused {
				refused++
			} else if refused > 0 {
				t.Errorf("%s: example %d is accepted and comes after one that is refused", name, i)
			}
			if e.Refused != strings.HasPrefix(e.File, "bad-") {
				t.Errorf("%s: refused is %v", file, e.Refused)
			}
			got = append(got, file)
		}
		want := must.Get(filepath.Glob(filepath.Join("testdata", name, "*.yaml")))(t)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || refused == 0 || refused == len(got) {
			t.Errorf("%s: %d of %d are refused (-files +examples):\n%s", name, refused, len(got), diff)
		}
	}
	for _, none := range []string{"", ".", "..", "no-such-rule", "../testdata"} {
		if got := Examples(none); got != nil {
			t.Errorf("%q has examples: %v", none, got)
		}
	}
}
