package ignore

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// nested folders of a repository, each with a .gitignore of so many patterns; the deepest is given.
func nested(t *testing.T, patterns ...int) string {
	t.Helper()
	folder := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(folder, ".git"), 0o700))
	for _, n := range patterns {
		var lines strings.Builder
		for i := range n {
			fmt.Fprintf(&lines, "p%d\n", i)
		}
		folder = filepath.Join(folder, "d")
		must.Do(t, os.Mkdir(folder, 0o700))
		write(t, filepath.Join(folder, ".gitignore"), "# a comment is no pattern\n\n"+lines.String())
	}
	return folder
}

func TestPatternsOfAllFoldersOnAPathAreBounded(t *testing.T) {
	folder := nested(t, maxPatterns/2, maxPatterns/2)
	if _, err := new(Rules).Within(folder); err != nil {
		t.Error(err)
	}
	folder = nested(t, maxPatterns/2, maxPatterns/2, 1)
	want := filepath.Join(folder, ".gitignore") + ": there are more than 10000 patterns in it and in the folders above, the limit; take some out, or let --no-ignore do without all"
	if _, err := new(Rules).Within(folder); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	if _, err := (&Rules{None: true}).Within(folder); err != nil {
		t.Error(err)
	}
}

// What a folder has is kept once, however many folders are below it.
func TestPatternsAreNotCopiedForFoldersBelow(t *testing.T) {
	counts := append([]int{maxPatterns * 9 / 10}, make([]int, 100)...)
	for i := range counts[1:] {
		counts[i+1] = 1
	}
	folder := nested(t, counts...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	must.Get(new(Rules).Within(folder))(t)
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 10 { // a copy for each would be of 40 MiB
		t.Errorf("%d MiB", took)
	}
}
