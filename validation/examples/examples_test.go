package examples_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/validation/examples"
)

func TestExamplesAreTheFilesOfTheRule(t *testing.T) {
	for _, rule := range validation.RuleVersions() {
		name := rule.Name
		var got []string
		rejected := 0
		for i, e := range examples.ForRule(name) {
			file := filepath.Join(name, e.File)
			if data, err := os.ReadFile(file); err != nil || string(data) != e.Text {
				t.Errorf("%s differs from the text of the example: %v", file, err)
			}
			if e.Rejected {
				rejected++
			} else if rejected > 0 {
				t.Errorf("%s: example %d is accepted and follows a rejected one", name, i)
			}
			if e.Rejected != strings.HasPrefix(e.File, "bad-") {
				t.Errorf("%s: rejected is %v", file, e.Rejected)
			}
			got = append(got, file)
		}
		want := must.Get(filepath.Glob(filepath.Join(name, "*.yaml")))(t)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || rejected == 0 || rejected == len(got) {
			t.Errorf("%s: %d of %d are rejected (-files +examples):\n%s", name, rejected, len(got), diff)
		}
	}
	for _, none := range []string{"", ".", "..", "no-such-rule", "../testdata"} {
		if got := examples.ForRule(none); got != nil {
			t.Errorf("%q has examples: %v", none, got)
		}
	}
}
