package test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// weight is a budget: how much of something there may be. Lines and words are those of wc. Whoever makes a row above its goal
// lighter lowers it; one that a change has to outgrow is raised, with the reason in its commit.
type weight struct {
	what      string
	files     func(path string) bool // path is that in the repository
	count     func(content []byte) int
	atMost    int
	goal      int // where it is not reached yet, atMost is what there is today
	mayBeNone bool
}

var weights = []weight{
	{what: "hand-written production Go", files: production(""), count: lines, atMost: 43_570, goal: 37_500},
	{what: "the command line: cmd/claimbridge", files: production("cmd/claimbridge/"), count: lines, atMost: 14_565, goal: 10_800},
	{
		what: "webhook without preflight, authority, migration and webhooktest", count: lines, atMost: 3_165, goal: 3_000,
		files: production("webhook/", "webhook/preflight/", "webhook/authority/", "webhook/migration/", "webhook/webhooktest/"),
	},
	{what: "webhook/preflight", files: production("webhook/preflight/"), count: lines, atMost: 2_950, goal: 3_000},
	{what: "validation", files: production("validation/"), count: lines, atMost: 5_480, goal: 5_500},
	{what: "internal/kjson", files: production("internal/kjson/"), count: lines, atMost: 2_315, goal: 2_200},
	{what: "conversion", files: production("conversion/"), count: lines, atMost: 4_937, goal: 4_800},
	{what: "bridge", files: production("bridge/"), count: lines, atMost: 3_300, goal: 3_300},
	{what: "test support: test/ and tools/", files: isSupport, count: lines, atMost: 8_665, goal: 8_000},
	{what: "tests", files: isTestFile, count: lines, atMost: 47_435, goal: 48_000},
	{what: "words of README and docs without decisions", files: isDocument, count: words, atMost: 38_000, goal: 38_000},
	{what: "decision pages", files: isDecision, count: each, atMost: 27, goal: 28},
	{what: "Go modules", files: func(path string) bool { return filepath.Base(path) == "go.mod" }, count: each, atMost: 15, goal: 20},
	{what: "rows of CONTRIBUTING that nobody finds missing", files: func(path string) bool { return path == "CONTRIBUTING.md" }, count: unguarded, atMost: 0, mayBeNone: true},
}

// TestWeight keeps the repository one that somebody else can carry on; go test -v -run TestWeight ./test prints the table.
func TestWeight(t *testing.T) {
	got := make([]int, len(weights))
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		path = strings.TrimPrefix(filepath.ToSlash(path), "../")
		if err != nil || entry.IsDir() && (slices.Contains([]string{"testdata", ".git", "bin", "dist"}, entry.Name())) {
			return errOrSkip(err)
		}
		var content []byte
		for i, w := range weights {
			if entry.IsDir() || !w.files(path) {
				continue
			}
			if content == nil {
				if content, err = os.ReadFile(filepath.Join("..", path)); err != nil {
					return err
				}
			}
			got[i] += w.count(content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%8s %8s %8s", "today", "at most", "goal")
	for i, w := range weights {
		t.Logf("%8d %8d %8d  %s", got[i], w.atMost, w.goal, w.what)
		if got[i] > w.atMost {
			t.Errorf("%s: %d, and %d are allowed: take away what the change makes needless", w.what, got[i], w.atMost)
		}
		if got[i] == 0 && !w.mayBeNone {
			t.Errorf("%s: nothing was found, so nothing is watched", w.what)
		}
	}
}

// production are the files of a folder that people wrote for users: nothing of test/ and tools/, of the folders left out, nothing generated.
func production(folder string, without ...string) func(string) bool {
	without = append(without, "test/", "tools/")
	return func(path string) bool {
		isBelow := func(other string) bool { return strings.HasPrefix(path, other) }
		return isHandWritten(path) && !isTestFile(path) && strings.HasPrefix(path, folder) && !slices.ContainsFunc(without, isBelow)
	}
}

func isHandWritten(path string) bool {
	return strings.HasSuffix(path, ".go") && !strings.HasPrefix(filepath.Base(path), "zz_")
}

func isTestFile(path string) bool { return strings.HasSuffix(path, "_test.go") }

func isSupport(path string) bool {
	return isHandWritten(path) && !isTestFile(path) && (strings.HasPrefix(path, "test/") || strings.HasPrefix(path, "tools/"))
}

func isDecision(path string) bool {
	return regexp.MustCompile(`^docs/decisions/[0-9].*\.md$`).MatchString(path)
}

func isDocument(path string) bool {
	return path == "README.md" || strings.HasPrefix(path, "docs/") && strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, "docs/decisions/")
}

func lines(content []byte) int { return bytes.Count(content, []byte("\n")) }

func words(content []byte) int { return len(bytes.Fields(content)) }

func each([]byte) int { return 1 }

// unguarded are the rows of tables whose last column says nothing, or of all or a part that nobody finds it missing; but for the first of each
// table, which is what the others are about.
func unguarded(content []byte) (n int) {
	row, without := regexp.MustCompile(`^\|.*\|$`), regexp.MustCompile(`\|( |[^|]*\bnobody\b[^|]*)\|$`)
	of := 0 // in the table: its head and a line come before the first one
	for line := range strings.SplitSeq(string(content), "\n") {
		if of++; !row.MatchString(line) {
			of = 0
		} else if of > 3 && without.MatchString(line) {
			n++
		}
	}
	return n
}
