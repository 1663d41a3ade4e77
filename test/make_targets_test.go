package test

import (
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

// goTestRun is a go test command without -short.
type goTestRun struct {
	module   string // the folder of the module
	tags     []string
	patterns []string
}

// TestEveryTestIsRunByCI checks that each test function is in a package, with a build tag, that a make target of
// .ci/run tests without -short. The flags -run and -skip are not allowed, because they would omit tests silently.
func TestEveryTestIsRunByCI(t *testing.T) {
	ciRuns := goTestRuns(t, ciTargets(t)...)
	testAllRuns := goTestRuns(t, "test-all")
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
		if !slices.ContainsFunc(testAllRuns, includes) {
			t.Errorf("%s: make test-all does not run its tests in full", path)
		}
		if !slices.ContainsFunc(ciRuns, includes) {
			t.Errorf("%s: no target that .ci/run calls runs its tests in full", path)
		}
		return nil
	}))
	const minFiles = 300
	if count < minFiles {
		t.Errorf("found %d files with tests, want at least %d", count, minFiles)
	}
}

// ciTargets returns the make targets that CI calls.
func ciTargets(t *testing.T) (names []string) {
	t.Helper()
	step := regexp.MustCompile(`(?m)^\s*step ".*?" (?:env .* )?make (\S+)`)
	for _, match := range step.FindAllStringSubmatch(read(t, "../.ci/run"), -1) {
		names = append(names, match[1])
	}
	return names
}

// goTestRuns returns the go test commands of make targets.
func goTestRuns(t *testing.T, targets ...string) (runs []goTestRun) {
	t.Helper()
	for _, target := range targets {
		for line := range strings.Lines(makeDryRun(t, target)) {
			if r, ok := parseGoTestRun(t, target, line); ok {
				runs = append(runs, r)
			}
		}
	}
	const minRuns = 3
	if len(runs) < minRuns {
		t.Fatalf("make %v runs go test %d times, want at least %d", targets, len(runs), minRuns)
	}
	return runs
}

// makeDryRun returns the commands of a make target.
func makeDryRun(t *testing.T, target string) string {
	t.Helper()
	dryRun := exec.CommandContext(t.Context(), "make", "-C", "..", "--no-print-directory", "-n", target)
	// If make runs this test, its variables must not change the commands.
	dryRun.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{
			"MAKEFLAGS", "MAKEOVERRIDES", "SUITE", "E2EFLAGS", "RELEASES", "UPDATE",
		}, name)
	})
	commands, err := dryRun.CombinedOutput()
	if err != nil {
		t.Fatalf("make -n %s: %v\n%s", target, err, commands)
	}
	return string(commands)
}

// parseGoTestRun returns the go test command of a line, unless it has -short.
func parseGoTestRun(t *testing.T, target, line string) (r goTestRun, ok bool) {
	t.Helper()
	words := strings.Fields(line)
	testIndex := slices.Index(words, "test")
	if testIndex < 1 || !slices.Contains(words[:testIndex], "go") || slices.Contains(words, "-short") {
		return goTestRun{}, false
	}
	r.module = ".."
	if i := slices.Index(words[:testIndex], "-C"); i >= 0 {
		r.module = filepath.Join("..", words[i+1])
	}
	for _, word := range words[testIndex+1:] {
		name, value, _ := strings.Cut(word, "=")
		switch {
		case name == "-run" || name == "-skip":
			t.Errorf("make %s selects tests by name: %s", target, line)
		case name == "-tags":
			r.tags = strings.Split(value, ",")
		case strings.HasPrefix(word, "./") || word == ".":
			r.patterns = append(r.patterns, word)
		}
	}
	return r, true
}

// includes reports whether a run compiles a file, and its patterns match the package.
func (r goTestRun) includes(t *testing.T, file string) bool {
	t.Helper()
	folder := filepath.Dir(file)
	if moduleOf(folder) != r.module || !r.matchesTags(t, file) {
		return false
	}
	// A pattern with dots does not match folders that go.mod ignores.
	isIgnored := slices.ContainsFunc(ignoredFolders(t), func(ignored string) bool {
		return folder == filepath.Join("..", ignored)
	})
	return slices.ContainsFunc(r.patterns, func(pattern string) bool {
		prefix, isRecursive := strings.CutSuffix(pattern, "...")
		parent := filepath.Join(r.module, prefix)
		isBelow := parent == r.module || strings.HasPrefix(folder, parent+"/")
		return folder == parent || isRecursive && isBelow && !isIgnored
	})
}

// moduleOf returns the folder of the module that has a folder.
func moduleOf(folder string) string {
	for ; folder != ".."; folder = filepath.Dir(folder) {
		if fileExists(filepath.Join(folder, "go.mod")) {
			break
		}
	}
	return folder
}

// matchesTags reports whether the build tags of a run include a file. CI runs on Linux.
func (r goTestRun) matchesTags(t *testing.T, file string) bool {
	t.Helper()
	buildContext := build.Default
	buildContext.GOOS = "linux"
	buildContext.BuildTags = r.tags
	return must.Get(buildContext.MatchFile(filepath.Split(file)))(t)
}

// testFunction matches a function that go test runs.
var testFunction = regexp.MustCompile(`(?m)^func (Test|Fuzz|Example)\w*\(`)

// hasTests reports whether a file has functions that go test runs.
func hasTests(t *testing.T, file string) bool {
	t.Helper()
	return testFunction.MatchString(strings.ReplaceAll(read(t, file), "\nfunc TestMain(", ""))
}

// TestNodeChecksThePrerequisitesFirst checks that make node runs a small program that checks the machine, before it
// builds programs for minutes.
func TestNodeChecksThePrerequisitesFirst(t *testing.T) {
	const want = "go run ./test/node/check"
	first, _, _ := strings.Cut(makeDryRun(t, "node"), "\n")
	if first != want {
		t.Errorf("make node runs %q first, want %q", first, want)
	}
	for _, imported := range modulesOf(t, module+"/test/node/check") {
		if imported == "k8s.io/client-go" || imported == "k8s.io/api" {
			t.Errorf("test/node/check imports %s, which takes minutes to compile", imported)
		}
	}
}
