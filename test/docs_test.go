package test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

var update = flag.Bool("update", false, "write the generated tables of documents")

// read returns the content of a file.
func read(t *testing.T, file string) string {
	t.Helper()
	content := must.Get(os.ReadFile(file))(t)
	return string(content)
}

// checkTable compares the part of a document between two comments with a generated table. With -update, it writes the
// table.
func checkTable(t *testing.T, file, want string) {
	t.Helper()
	const begin = "<!-- the table begins; go test ./test -run TestDocs -update writes it -->\n"
	const end = "<!-- the table ends -->\n"
	before, rest, hasBegin := strings.Cut(read(t, file), begin)
	got, after, hasEnd := strings.Cut(rest, end)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s: the comments around the table are missing:\n%s%s", file, begin, end)
	}
	want = "\n" + want + "\n"
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s: the table is out of date, run go test ./test -run TestDocs -update (-want +got):\n%s", file,
			cmp.Diff(want, got))
	}
	must.Do(t, os.WriteFile(file, []byte(before+begin+want+end+after), 0o644))
}

// TestDocsHaveEveryCheck verifies that docs/preflight.md has a section for each check, in the order in which they run.
// Results link to the section, and it begins with the description of the check.
func TestDocsHaveEveryCheck(t *testing.T) {
	_, chapter, _ := strings.Cut(read(t, "../docs/preflight.md"), "\n## The checks\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	sections := strings.Split(chapter, "\n### ")[1:]
	if len(sections) != len(preflight.Checks) {
		t.Fatalf("docs/preflight.md: got %d sections, want %d, one for each check", len(sections), len(preflight.Checks))
	}
	for i, check := range preflight.Checks {
		want := check.Name + "\n\n" + check.Description + "\n"
		if !strings.HasPrefix(sections[i], want) {
			got := sections[i][:min(len(want), len(sections[i]))]
			t.Errorf("section %d of docs/preflight.md (-want +got):\n%s", i+1, cmp.Diff(want, got))
		}
	}
}

// TestDocsOfErrorsHaveEveryVersion checks that the table of versions in docs/errors.md has the releases of each
// version.
func TestDocsOfErrorsHaveEveryVersion(t *testing.T) {
	page := read(t, "../docs/errors.md")
	for _, v := range api.Versions() {
		releases := "since " + v.Since
		if v.RemovedIn != "" {
			serving := v.ServingReleases()
			releases = strings.Join(slices.Compact([]string{serving[0], serving[len(serving)-1]}), " to ")
		}
		onByDefault := "no"
		if v.Stored {
			onByDefault = "yes"
		}
		row := fmt.Sprintf("| %s | %s | %s |\n", v.Name, releases, onByDefault)
		if !strings.Contains(page, row) {
			t.Errorf("docs/errors.md does not have the row %s", row)
		}
	}
}

// TestDocsListAllDecisions checks that the index lists each decision with its title.
func TestDocsListAllDecisions(t *testing.T) {
	folder := "../docs/decisions"
	pages := must.Get(filepath.Glob(folder + "/[0-9]*.md"))(t)
	if len(pages) == 0 {
		t.Fatalf("%s has no decisions", folder)
	}
	var rows strings.Builder
	rows.WriteString("| | decision |\n|--:|---|\n")
	for _, page := range pages {
		name := filepath.Base(page)
		title, _, _ := strings.Cut(read(t, page), "\n")
		number, title, ok := strings.Cut(strings.TrimPrefix(title, "# "), ". ")
		if !ok || fmt.Sprintf("%04s", number) != name[:4] {
			t.Errorf("%s: got the number %q in the title, want that of the file name", name, number)
		}
		fmt.Fprintf(&rows, "| %s | [%s](%s) |\n", number, title, name)
	}
	checkTable(t, folder+"/README.md", rows.String())
}

var (
	diagramNode  = regexp.MustCompile(`(?m)^    (\w+)\["<b>([^<]+)</b>`)
	diagramArrow = regexp.MustCompile(`(?m)^    (\w+) --> (.+)$`)
)

// TestDocsDiagramShowsImports checks that each arrow in the diagram is an import, and that each import is an arrow or a
// path of arrows.
func TestDocsDiagramShowsImports(t *testing.T) {
	page := read(t, "../docs/architecture.md")
	folderOf := map[string]string{} // by the ID of a node
	var folders []string
	for _, m := range diagramNode.FindAllStringSubmatch(page, -1) {
		folderOf[m[1]] = m[2]
		folders = append(folders, m[2])
	}
	imports := importsBetween(t, folders)
	arrows := map[edge]bool{}
	for _, m := range diagramArrow.FindAllStringSubmatch(page, -1) {
		for to := range strings.SplitSeq(m[2], " & ") {
			e := edge{folderOf[m[1]], folderOf[to]}
			if !imports[e] {
				t.Errorf("the diagram in docs/architecture.md has an arrow from %q to %q, want none: there is no such import",
					e.from, e.to)
			}
			arrows[e] = true
		}
	}
	addPaths(arrows, folders)
	for e := range imports {
		if !arrows[e] {
			t.Errorf("%s imports %s, but the diagram in docs/architecture.md has no path of arrows", e.from, e.to)
		}
	}
}

// edge is an import or an arrow between folders of the diagram.
type edge struct{ from, to string }

// importsBetween returns the imports between folders. A package belongs to the longest folder that it is in.
func importsBetween(t *testing.T, folders []string) map[edge]bool {
	t.Helper()
	longestFolder := func(path string) (longest string) {
		for _, folder := range folders {
			if within(path, folder) && len(folder) > len(longest) {
				longest = folder
			}
		}
		return longest
	}
	imports := map[edge]bool{}
	for _, p := range listPackages(t) {
		from := longestFolder(p.folder())
		for _, imported := range p.Imports {
			to := longestFolder(strings.TrimPrefix(imported, module+"/"))
			if from != to && from != "" && to != "" {
				imports[edge{from, to}] = true
			}
		}
	}
	return imports
}

// addPaths adds an edge for each path of edges (Warshall's algorithm).
func addPaths(edges map[edge]bool, folders []string) {
	for _, via := range folders {
		for _, from := range folders {
			for _, to := range folders {
				if edges[edge{from, via}] && edges[edge{via, to}] {
					edges[edge{from, to}] = true
				}
			}
		}
	}
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s#]*)(#[^)\s]*)?\)`)
	codeSpan = regexp.MustCompile("`[^`\n]*`")
)

// TestDocsHaveNoDeadLinks checks that links between files have existing files and headings.
func TestDocsHaveNoDeadLinks(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/decisions/*.md", "../test/*/README.md"} {
		pages = append(pages, must.Get(filepath.Glob(pattern))(t)...)
	}
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(read(t, page), ""), -1) {
			target, anchor := m[1], m[2]
			if strings.Contains(target, ":") {
				continue // a URL
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			info, err := os.Stat(file)
			if err != nil {
				t.Errorf("%s links to %s: %v", page, target, err)
				continue
			}
			if info.IsDir() || anchor == "" {
				continue
			}
			if !slices.Contains(anchors(read(t, file)), anchor) {
				t.Errorf("%s links to %s%s, but %s has no such heading", page, target, anchor, file)
			}
		}
	}
}

var (
	testName = regexp.MustCompile("`(Test[A-Z]\\w*)`")
	fileName = regexp.MustCompile("`((?:api|conversion|internal|validation|webhook|config|cmd|test|docs|tools|\\.ci)" +
		"/[\\w./-]*)`")
)

// TestDocsNameExistingTestsAndFiles checks that the tests and files exist that CONTRIBUTING.md and docs/architecture.md
// name.
func TestDocsNameExistingTestsAndFiles(t *testing.T) {
	var testCode strings.Builder
	must.Do(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, "_test.go") {
			testCode.WriteString(read(t, path))
		}
		return err
	}))
	for _, page := range []string{"../CONTRIBUTING.md", "../docs/architecture.md"} {
		text := read(t, page)
		for _, m := range testName.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(testCode.String(), "\nfunc "+m[1]+"(") {
				t.Errorf("%s names the test %s, which does not exist", page, m[1])
			}
		}
		for _, m := range fileName.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
				t.Errorf("%s names the file %s: %v", page, m[1], err)
			}
		}
	}
}

// TestDocsHaveEveryKindOfEntry checks that each kind of preserved data in stored claims is documented.
func TestDocsHaveEveryKindOfEntry(t *testing.T) {
	page := read(t, "../docs/conversion.md")
	kind := regexp.MustCompile(`\tKind\w+ += "(\w+)"`)
	count := 0
	for _, file := range must.Get(filepath.Glob("../internal/conversion/*/*.go"))(t) {
		for _, m := range kind.FindAllStringSubmatch(read(t, file), -1) {
			count++
			if !strings.Contains(page, "`"+m[1]+"`") {
				t.Errorf("docs/conversion.md does not contain `%s`: document it", m[1])
			}
		}
	}
	const minKinds = 5
	if count < minKinds {
		t.Errorf("found %d kinds of entries, want at least %d", count, minKinds)
	}
}

// anchors returns the anchors that GitHub generates for the headings of a page.
func anchors(text string) (names []string) {
	for line := range strings.Lines(text) {
		heading := strings.TrimLeft(line, "#")
		if len(heading) == len(line) || !strings.HasPrefix(heading, " ") {
			continue
		}
		var b strings.Builder
		for _, r := range strings.ToLower(strings.TrimSpace(heading)) {
			switch {
			case r == ' ':
				b.WriteRune('-')
			case r == '-', r == '_', r >= 'a' && r <= 'z', r >= '0' && r <= '9', r > 127:
				b.WriteRune(r)
			}
		}
		names = append(names, "#"+b.String())
	}
	return names
}

// TestDocsSamplesAreTested checks that the Go samples of pages are in a test, line by line, so that they compile and
// run.
func TestDocsSamplesAreTested(t *testing.T) {
	for _, sample := range []struct {
		page, file  string
		first, last int // the samples of the page that are in the file, counted from 1
	}{
		{"../docs/envtest.md", "../webhook/webhooktest/sample_test.go", 1, 1},
		{"../docs/envtest.md", "../webhook/webhooktest/program_test.go", 4, 5},
		{"../docs/go.md", "../conversion/example_test.go", 1, 3},
	} {
		var fileLines []string
		for line := range strings.Lines(read(t, sample.file)) {
			fileLines = append(fileLines, strings.TrimSpace(line))
		}
		blocks := strings.Split(read(t, sample.page), "```go\n")
		if len(blocks) <= sample.last {
			t.Errorf("%s has %d samples in Go, want at least %d", sample.page, len(blocks)-1, sample.last)
			continue
		}
		for _, block := range blocks[sample.first : sample.last+1] {
			code, _, _ := strings.Cut(block, "```")
			for line := range strings.Lines(code) {
				line = strings.TrimSpace(line)
				if !slices.Contains(fileLines, line) {
					t.Errorf("%s: the sample has a line that is not in %s: %s", sample.page, sample.file, line)
				}
			}
		}
	}
}
