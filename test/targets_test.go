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

// goTestRun is a command go test. With -short it does not count.
type goTestRun struct {
	module   string // folder of the module
	tags     []string
	patterns []string
}

// TestEveryTestIsRunByCI checks that each test function is in a package, with a build tag, that a make target of
// .ci/run tests without -short. The flags -run and -skip are not allowed, because they would omit tests silently.
func TestEveryTestIsRunByCI(t *testing.T) {
	runs, all := runsOf(t, ciTargets(t)...), runsOf(t, "test-all")
	count := 0
	must.Do(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") || !hasTests(t, path) {
			return nil
		}
		count++
		includes := func(r goTestRun) bool { return r.includes(t, path) }
		if !slices.ContainsFunc(all, includes) {
			t.Errorf("%s: make test-all does not run its tests in full", path)
		}
		if !slices.ContainsFunc(runs, includes) {
			t.Errorf("%s: no target that .ci/run calls runs its tests in full", path)
		}
		return nil
	}))
	if count < 300 {
		t.Errorf("only %d files with tests were found", count)
	}
}

// ciTargets returns the make targets that CI calls.
func ciTargets(t *testing.T) (names []string) {
	t.Helper()
	for _, step := range regexp.MustCompile(`(?m)^\s*step ".*?" (?:env .* )?make (\S+)`).FindAllStringSubmatch(read(t,
		"../.ci/run"),
		-1) {
		names = append(names, step[1])
	}
	return names
}

// runsOf returns the commands go test of make targets.
func runsOf(t *testing.T, targets ...string) (runs []goTestRun) {
	t.Helper()
	for _, target := range targets {
		dryRun := exec.CommandContext(t.Context(), "make", "-C", "..", "--no-print-directory", "-n", target)
		dryRun.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
			// variables of make, if it runs this test
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
			r := goTestRun{module: ".."}
			if c := slices.Index(words[:at], "-C"); c >= 0 {
				r.module = filepath.Join("..", words[c+1])
			}
			for _, word := range words[at+1:] {
				name, value, _ := strings.Cut(word, "=")
				switch {
				case name == "-run" || name == "-skip":
					t.Errorf("make %s selects tests by name: %s", target, line.Text())
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

// includes reports whether a run compiles a file, and its patterns match the package.
func (r goTestRun) includes(t *testing.T, file string) bool {
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

// tagged reports whether the build tags of a run include a file. CI runs on Linux.
func (r goTestRun) tagged(t *testing.T, file string) bool {
	t.Helper()
	ci := build.Default
	ci.GOOS, ci.BuildTags = "linux", r.tags
	return must.Get(ci.MatchFile(filepath.Split(file)))(t)
}

// testFunction matches a function that go test runs.
var testFunction = regexp.MustCompile(`(?m)^func (Test|Fuzz|Example)\w*\(`)

// hasTests reports whether a file has functions that go test runs.
func hasTests(t *testing.T, file string) bool {
	t.Helper()
	return testFunction.MatchString(strings.ReplaceAll(read(t, file), "\nfunc TestMain(", ""))
}
