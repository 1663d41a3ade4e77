package future

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// change is one of the changes that add a release: a row of the table in CONTRIBUTING. Its file in
// testdata begins with the second and the last column of the row, and with the package whose test
// fails without the change. Sections follow:
//
//	-- FILE --           the content of a new file
//	-- FILE + TEXT --    lines to insert after each line of FILE that contains TEXT
//	-- FILE ~ --         replacements in FILE, one per line: OLD => NEW
type change struct {
	name, path, detectedBy string
	testArguments          []string
	edits                  []edit
}

// edit changes one file. The text passed to apply is empty if the file does not exist yet.
type edit struct {
	file  string
	apply func(text string) string
}

// root is the root of the repository.
const root = "../.."

// readChanges returns the changes in testdata.
func readChanges(t *testing.T) []change {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata has no changes: %v", err)
	}
	var changes []change
	for _, file := range files {
		archive := must.Get(txtar.ParseFile(file))(t)
		columns := strings.Split(strings.TrimSpace(string(archive.Comment)), " | ")
		if len(columns) != 3 {
			t.Fatalf("%s begins with %q", file, columns)
		}
		c := change{
			name:          strings.TrimSuffix(filepath.Base(file), ".txtar"),
			path:          columns[0],
			detectedBy:    columns[1],
			testArguments: strings.Fields(columns[2]),
		}
		for _, section := range archive.Files {
			c.edits = append(c.edits, newEdit(t, section))
		}
		changes = append(changes, c)
	}
	return changes
}

func newEdit(t *testing.T, section txtar.File) edit {
	t.Helper()
	text := string(section.Data)
	if name, line, ok := strings.Cut(section.Name, " + "); ok {
		return edit{name, func(before string) string { return insertAfter(t, name, before, line, text) }}
	}
	if name, ok := strings.CutSuffix(section.Name, " ~"); ok {
		return edit{name, func(before string) string { return replaceIn(t, name, before, text) }}
	}
	return edit{section.Name, func(string) string { return text }}
}

func insertAfter(t *testing.T, file, before, match, text string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(before) {
		out.WriteString(line)
		if strings.Contains(line, match) {
			out.WriteString(text)
		}
	}
	if out.Len() == len(before) {
		t.Fatalf("%s has no line with %q", file, match)
	}
	return out.String()
}

// replaceIn replaces texts of a file. In the replacements, \n and \t stand for a line break and a tab.
func replaceIn(t *testing.T, file, before, replacements string) string {
	t.Helper()
	unescape := strings.NewReplacer("\n", "", `\n`, "\n", `\t`, "\t")
	var pairs []string
	for line := range strings.Lines(replacements) {
		from, to, ok := strings.Cut(unescape.Replace(line), " => ")
		if !ok {
			t.Fatalf("%q has no =>", line)
		}
		pairs = append(pairs, from, to)
	}
	after := strings.NewReplacer(pairs...).Replace(before)
	if after == before {
		t.Fatalf("%s contains none of\n%s", file, replacements)
	}
	return after
}

// The table of CONTRIBUTING has a row for each change, which names the test that detects its absence.
func TestContributingListsEveryChange(t *testing.T) {
	content := must.Get(os.ReadFile(filepath.Join(root, "CONTRIBUTING.md")))(t)
	_, section, _ := strings.Cut(string(content), "## Add a release")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := strings.Split(section, "\n")
	for _, c := range readChanges(t) {
		isRow := func(row string) bool { return strings.Contains(row, c.path) && strings.Contains(row, c.detectedBy) }
		if !slices.ContainsFunc(rows, isRow) {
			t.Errorf("%s: no row says that %s is detected by %s", c.name, c.path, c.detectedBy)
		}
	}
}
