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

var update = flag.Bool("update", false, "write the patches")

// TestConversionOfClones checks that the program makes only the necessary changes in a clone, and reports objects that
// need manual changes. A second run changes nothing. The API server accepts every object of the changed files: claims,
// classes, and the pods that use them.
func TestConversionOfClones(t *testing.T) {
	t.Parallel()
	program, cluster := program(built.Claimbridge(t)), startCluster(t)
	for _, s := range table(t) {
		t.Run(s.Name, func(t *testing.T) {
			if testing.Short() && s.Module != "" {
				t.Skip("-short: the module is downloaded")
			}
			t.Parallel()
			c := s.clone(t)
			c.git(t, "init", "--quiet")
			c.commit(t, "before")

			report := filepath.Join(t.TempDir(), "findings.json")
			output, code := program.convert(t, c, append(s.Flags, "--write", "--report", "json="+report)...)
			if want := min(len(s.Errors), 1); code != want {
				t.Errorf("exit code %d, want %d\n%s", code, want, output)
			}
			findings := read(t, report)
			s.compareFindings(t, findings)
			changed := c.changedFiles(t)
			if s.Flags == nil {
				s.comparePatch(t, c.git(t, "diff", "--no-color", "--full-index", "--unified=1"))
			}
			s.compareMaintainers(t, c, changed)

			program.convert(t, c, append(s.Flags, "--write")...)
			if diff := cmp.Diff(changed, c.changedFiles(t)); diff != "" {
				t.Errorf("a second time (-first +second)\n%s", diff)
			}
			flags := slices.Clone(s.Flags)
			for name := range s.Errors { // users exclude files that they change manually later
				flags = append(flags, "--exclude="+name)
			}
			c.commit(t, "converted")
			if output, code := program.convert(t, c, append(flags, "--check", "--diff")...); code != 0 {
				t.Errorf("--check: exit code %d\n%s", code, output)
			}
			output, code = program.convert(t, c, append(flags, "--write")...)
			if code != 0 || len(c.changedFiles(t)) > 0 {
				t.Errorf("a third time: exit code %d\n%s", code, output)
			}

			accepted := 0
			for _, name := range changed {
				accepted += cluster.checkAccepted(t, name, withIndex(c.read(t, name)))
			}
			if s.Chart != nil {
				accepted += cluster.checkAccepted(t, s.Chart.Folder,
					program.rendered(t, module(t, s.Module, s.Version, s.Sum), s.Chart))
			}
			t.Logf("%d files changed; the API server accepts %d objects", len(changed), accepted)
		})
	}
}

// withIndex renders the templates of Kubernetes' scheduler_perf, which have the index of an object in its name.
func withIndex(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("{{.Index}}"), []byte("1"))
}

// clone returns a clone with the files as they were published.
func (s source) clone(t *testing.T) clone {
	t.Helper()
	folder := t.TempDir()
	if s.Corpus != "" {
		unpackCorpus(t, filepath.Join("../../internal/conversion/testdata/corpus", s.Corpus), folder)
	} else {
		copyModule(t, module(t, s.Module, s.Version, s.Sum), folder)
	}
	return clone(folder)
}

// compareFindings compares the findings that were not fixed with the expected ones.
func (s source) compareFindings(t *testing.T, report []byte) {
	t.Helper()
	errors, warnings := findings(t, report)
	if diff := cmp.Diff(s.Errors, errors, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("errors (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(s.Warnings, warnings, cmpopts.EquateEmpty()); diff != "" {
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

// compareMaintainers compares the files that the program changed with those of a release that the maintainers migrated.
func (s source) compareMaintainers(t *testing.T, c clone, changed []string) {
	t.Helper()
	if s.Maintainers == nil {
		return
	}
	migrated := module(t, s.Module, s.Maintainers.Version, s.Maintainers.Sum)
	for _, name := range changed {
		text, err := os.ReadFile(filepath.Join(migrated, filepath.FromSlash(name)))
		diff := cmp.Diff(string(text), string(c.read(t, name)))
		if reason, isExpected := s.Maintainers.Differences[name]; isExpected != (diff != "" || err != nil) {
			t.Errorf("%s (%q): %v (-maintainers +claimbridge)\n%s", name, reason, err, diff)
		}
	}
	for name := range s.Maintainers.Differences {
		if !slices.Contains(changed, name) {
			t.Errorf("%s is not changed", name)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(file))(t)
}
