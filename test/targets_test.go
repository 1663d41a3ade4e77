package test

import (
	"bufio"
	"bytes"
	"go/build"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// run of go test: what it runs in full. With -short it proves nothing here.
type run struct {
	module   string // its folder
	tags     []string
	patterns []string
}

// TestEveryTestIsRunByCI reads what .ci/run calls, and what make does then: each test function has
// to be in a package, under a tag, that a run names without -short. Runs that choose tests by their
// names would leave out others unseen.
func TestEveryTestIsRunByCI(t *testing.T) {
	runs, all := runsOf(t, ciTargets(t)...), runsOf(t, "test-all")
	count := 0
	must.Do(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return errOrSkip(err)
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") || !hasTests(t, path) {
			return nil
		}
		count++
		has := func(r run) bool { return r.has(t, path) }
		if !slices.ContainsFunc(all, has) {
			t.Errorf("%s: make test-all does not run its tests in full", path)
		}
		if !slices.ContainsFunc(runs, has) {
			t.Errorf("%s: no target that .ci/run calls runs its tests in full", path)
		}
		return nil
	}))
	if count < 300 {
		t.Errorf("only %d files with tests were found", count)
	}
}

func errOrSkip(err error) error {
	if err != nil {
		return err
	}
	return filepath.SkipDir
}

// ciTargets are the targets of make that CI calls.
func ciTargets(t *testing.T) (names []string) {
	t.Helper()
	for _, step := range regexp.MustCompile(`(?m)^\s*step ".*?" (?:env .* )?make (\S+)`).FindAllStringSubmatch(read(t,
		"../.ci/run"),
		-1) {
		names = append(names, step[1])
	}
	return names
}

// runsOf are the commands go test of targets of make.
func runsOf(t *testing.T, targets ...string) (runs []run) {
	t.Helper()
	for _, target := range targets {
		dryRun := exec.CommandContext(t.Context(), "make", "-C", "..", "--no-print-directory", "-n", target)
		dryRun.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
			// the user who runs this by make may have asked for one suite
			name, _, _ := strings.Cut(variable, "=")
			return slices.Contains([]string{
				"MAKEFLAGS", "MAKEOVERRIDES", "SUITE", "E2EFLAGS", "RELEASES", "UPDATE",
			}, name)
		})
		plan, err := dryRun.CombinedOutput()
		if err != nil {
			t.Fatalf("make -n %s: %v\n%s", target, err, plan)
		}
		for line := bufio.NewScanner(bytes.NewReader(plan)); line.Scan(); {
			words := strings.Fields(line.Text())
			at := slices.Index(words, "test")
			if at < 1 || !slices.Contains(words[:at], "go") || slices.Contains(words, "-short") {
				continue
			}
			r := run{module: ".."}
			if c := slices.Index(words[:at], "-C"); c >= 0 {
				r.module = filepath.Join("..", words[c+1])
			}
			for _, word := range words[at+1:] {
				name, value, _ := strings.Cut(word, "=")
				switch {
				case name == "-run" || name == "-skip":
					t.Errorf("make %s chooses tests by name: %s", target, line.Text())
				case name == "-tags":
					r.tags = strings.Split(value, ",")
				case strings.HasPrefix(word, "./") || word == ".":
					r.patterns = append(r.patterns, word)
				}
			}
			runs = append(runs, r)
		}
	}
	if len(runs) < 3 {
		t.Fatalf("%v run go test %d times", targets, len(runs))
	}
	return runs
}

// has tells whether a run compiles a file, and the patterns of the run name its package.
func (r run) has(t *testing.T, file string) bool {
	t.Helper()
	folder := filepath.Dir(file)
	module := folder
	for ; module != ".."; module = filepath.Dir(module) {
		if _, err := os.Stat(filepath.Join(module, "go.mod")); err == nil {
			break
		}
	}
	if module != r.module || !r.tagged(t, file) {
		return false
	}
	// A pattern with dots does not match what go.mod ignores.
	ignored := slices.ContainsFunc(ignoredFolders(t), func(program string) bool {
		return folder == filepath.Join("..", program)
	})
	return slices.ContainsFunc(r.patterns, func(pattern string) bool {
		below, recursive := strings.CutSuffix(pattern, "...")
		named := filepath.Join(module, below)
		inside := named == module || strings.HasPrefix(folder, named+"/")
		return folder == named || recursive && inside && !ignored
	})
}

// tagged tells whether the tags of a run include a file. CI runs on Linux.
func (r run) tagged(t *testing.T, file string) bool {
	t.Helper()
	ci := build.Default
	ci.GOOS, ci.BuildTags = "linux", r.tags
	return must.Get(ci.MatchFile(filepath.Split(file)))(t)
}

// testFunction is one that go test runs.
var testFunction = regexp.MustCompile(`(?m)^func (Test|Fuzz|Example)\w*\(`)

// hasTests tells whether a file has functions that go test runs.
func hasTests(t *testing.T, file string) bool {
	t.Helper()
	return testFunction.MatchString(strings.ReplaceAll(read(t, file), "\nfunc TestMain(", ""))
}
