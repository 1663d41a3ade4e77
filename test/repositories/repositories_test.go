//go:build e2e

package repositories

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var update = flag.Bool("update", false, "write the patches anew")

// In a clone, the program changes only what must change, and reports what needs manual changes. A second run changes
// nothing. The API server accepts every object of the changed files: claims, classes, and the pods that use them.
func TestClonesAreConvertedAsTheirUsersWould(t *testing.T) {
	t.Parallel()
	program, cluster := program(built.Claimbridge(t)), started(t)
	for _, s := range table(t) {
		t.Run(s.Name, func(t *testing.T) {
			if testing.Short() && s.Module != "" {
				t.Skip("-short: it is downloaded")
			}
			t.Parallel()
			c := s.cloned(t)
			c.git(t, "init", "--quiet")
			c.commit(t, "as it was")

			report := filepath.Join(t.TempDir(), "findings.json")
			told, code := program.convert(t, c, append(s.Flags, "--write", "--report", "json="+report)...)
			if want := min(len(s.Left), 1); code != want {
				t.Errorf("exit code %d, want %d\n%s", code, want, told)
			}
			findings := read(t, report)
			s.compareFindings(t, findings)
			changed := c.changed(t)
			if s.Flags == nil {
				s.comparePatch(t, c.git(t, "diff", "--no-color", "--full-index", "--unified=1"))
			}
			s.comparePeople(t, c, changed)

			program.convert(t, c, append(s.Flags, "--write")...)
			if diff := cmp.Diff(changed, c.changed(t)); diff != "" {
				t.Errorf("a second time (-first +second)\n%s", diff)
			}
			flags := slices.Clone(s.Flags)
			for name := range s.Left { // users exclude files that they change manually later
				flags = append(flags, "--exclude="+name)
			}
			c.commit(t, "converted")
			if told, code := program.convert(t, c, append(flags, "--check", "--diff")...); code != 0 {
				t.Errorf("--check: exit code %d\n%s", code, told)
			}
			if told, code := program.convert(t, c, append(flags, "--write")...); code != 0 || len(c.changed(t)) > 0 {
				t.Errorf("a third time: exit code %d\n%s", code, told)
			}

			taken := 0
			for _, name := range changed {
				taken += cluster.takesAll(t, name, withIndex(c.read(t, name)))
			}
			if s.Chart != nil {
				taken += cluster.takesAll(t, s.Chart.Folder,
					program.rendered(t, module(t, s.Module, s.Version, s.Sum), s.Chart))
			}
			t.Logf("%d files changed; the API server takes %d objects", len(changed), taken)
		})
	}
}

// withIndex renders the templates of Kubernetes' scheduler_perf: they name an object by its index.
func withIndex(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("{{.Index}}"), []byte("1"))
}

// cloned is the repository with its files as they were published.
func (s source) cloned(t *testing.T) clone {
	t.Helper()
	folder := t.TempDir()
	if s.Corpus != "" {
		unpacked(t, filepath.Join("../../internal/conversion/testdata/corpus", s.Corpus), folder)
	} else {
		cloned(t, module(t, s.Module, s.Version, s.Sum), folder)
	}
	return clone(folder)
}

// compareFindings that are left with those that are expected.
func (s source) compareFindings(t *testing.T, report []byte) {
	t.Helper()
	errors, warnings := findings(t, report)
	if diff := cmp.Diff(s.Left, errors, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("errors (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(s.Warned, warnings, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("warnings (-want +got)\n%s", diff)
	}
}

// comparePatch compares a patch with the reviewed one.
func (s source) comparePatch(t *testing.T, patch string) {
	t.Helper()
	file := filepath.Join("testdata", strings.ReplaceAll(s.Name, " ", "-")+".patch")
	if *update {
		must.Do(t, os.WriteFile(file, []byte(patch), 0o600))
	}
	if diff := cmp.Diff(string(read(t, file)), patch); diff != "" {
		t.Errorf("git diff (-want +got)\n%s", diff)
	}
}

// comparePeople with what the authors made of the files that the program changed.
func (s source) comparePeople(t *testing.T, c clone, changed []string) {
	t.Helper()
	if s.People == nil {
		return
	}
	theirs := module(t, s.Module, s.People.Version, s.People.Sum)
	for _, name := range changed {
		text, err := os.ReadFile(filepath.Join(theirs, filepath.FromSlash(name)))
		diff := cmp.Diff(string(text), string(c.read(t, name)))
		if why, differs := s.People.Differ[name]; differs != (diff != "" || err != nil) {
			t.Errorf("%s (%q): %v (-people +claimbridge)\n%s", name, why, err, diff)
		}
	}
	for name := range s.People.Differ {
		if !slices.Contains(changed, name) {
			t.Errorf("%s is not changed", name)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(file))(t)
}
