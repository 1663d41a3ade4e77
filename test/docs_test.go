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

var update = flag.Bool("update", false, "update the generated tables of documents")

func read(t *testing.T, file string) string {
	t.Helper()
	content := must.Get(os.ReadFile(file))(t)
	return string(content)
}

// table compares the part of a document between two marks with generated text.
func table(t *testing.T, file string, want string) {
	t.Helper()
	const begin = "<!-- the table begins; go test ./test -run TestDocs -update writes it -->\n"
	const end = "<!-- the table ends -->\n"
	before, rest, begins := strings.Cut(read(t, file), begin)
	got, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s: the marks around the table are gone:\n%s%s", file, begin, end)
	}
	want = "\n" + want + "\n"
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s, update it with go test ./test -run TestDocs -update (-want +got):\n%s", file,
			cmp.Diff(want, got))
	}
	must.Do(t, os.WriteFile(file, []byte(before+begin+want+end+after), 0o644))
}

// TestDocsHaveEveryCheck verifies that the page on preflight has a section for each check, in the order in which they
// run. Results link to it, and it begins with the description of the check.
func TestDocsHaveEveryCheck(t *testing.T) {
	_, chapter, _ := strings.Cut(read(t, "../docs/preflight.md"), "\n## The checks\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	sections := strings.Split(chapter, "\n### ")[1:]
	if len(sections) != len(preflight.Checks) {
		t.Fatalf("there are %d sections for %d checks", len(sections), len(preflight.Checks))
	}
	for i, check := range preflight.Checks {
		want := check.Name + "\n\n" + check.Description + "\n"
		if !strings.HasPrefix(sections[i], want) {
			begin := sections[i][:min(len(want), len(sections[i]))]
			t.Errorf("section %d of docs/preflight.md (-want +got):\n%s", i+1, cmp.Diff(want, begin))
		}
	}
}

// The table of versions of docs/errors.md has the releases of each version.
func TestDocsOfErrorsHaveEveryVersion(t *testing.T) {
	page := read(t, "../docs/errors.md")
	for _, v := range api.Versions() {
		releases := "since " + v.Since
		if served := v.ServingReleases(); v.RemovedIn != "" {
			releases = strings.Join(slices.Compact([]string{served[0], served[len(served)-1]}), " to ")
		}
		onByDefault := "no"
		if v.Stored {
			onByDefault = "yes"
		}
		row := fmt.Sprintf("| %s | %s | %s |\n", v.Name, releases, onByDefault)
		if !strings.Contains(page, row) {
			t.Errorf("docs/errors.md has no row %s", row)
		}
	}
}

// TestDocsListAllDecisions checks that the index lists each decision with its title.
func TestDocsListAllDecisions(t *testing.T) {
	folder := "../docs/decisions"
	pages, err := filepath.Glob(folder + "/[0-9]*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no decisions: %v", err)
	}
	var rows strings.Builder
	rows.WriteString("| | decision |\n|--:|---|\n")
	for _, page := range pages {
		name := filepath.Base(page)
		title, _, _ := strings.Cut(read(t, page), "\n")
		number, title, ok := strings.Cut(strings.TrimPrefix(title, "# "), ". ")
		if !ok || fmt.Sprintf("%04s", number) != name[:4] {
			t.Errorf("%s has the number %q in its title", name, number)
		}
		fmt.Fprintf(&rows, "| %s | [%s](%s) |\n", number, title, name)
	}
	table(t, folder+"/README.md", rows.String())
}

var (
	pictured = regexp.MustCompile(`(?m)^    (\w+)\["<b>([^<]+)</b>`)
	arrow    = regexp.MustCompile(`(?m)^    (\w+) --> (.+)$`)
)

// TestDocsPictureShowsImports checks that each arrow in the diagram is an import, and that each import is an arrow or a
// path of arrows.
func TestDocsPictureShowsImports(t *testing.T) {
	page := read(t, "../docs/architecture.md")
	folders := map[string]string{}
	var all []string
	for _, m := range pictured.FindAllStringSubmatch(page, -1) {
		folders[m[1]] = m[2]
		all = append(all, m[2])
	}
	of := func(folder string) (longest string) {
		for _, known := range all {
			if within(folder, known) && len(known) > len(longest) {
				longest = known
			}
		}
		return longest
	}
	imports, drawn := map[[2]string]bool{}, map[[2]string]bool{}
	for _, p := range listPackages(t) {
		for _, imported := range p.Imports {
			from, to := of(p.folder()), of(strings.TrimPrefix(imported, module+"/"))
			if from != to && from != "" && to != "" {
				imports[[2]string{from, to}] = true
			}
		}
	}
	for _, m := range arrow.FindAllStringSubmatch(page, -1) {
		for to := range strings.SplitSeq(m[2], " & ") {
			a := [2]string{folders[m[1]], folders[to]}
			if !imports[a] {
				t.Errorf("the picture of docs/architecture.md has an arrow from %q to %q, and nothing is imported there",
					a[0], a[1])
			}
			drawn[a] = true
		}
	}
	for _, via := range all {
		for _, from := range all {
			for _, to := range all {
				drawn[[2]string{from, to}] = drawn[[2]string{from, to}] ||
					drawn[[2]string{from, via}] && drawn[[2]string{via, to}]
			}
		}
	}
	for a := range imports {
		if !drawn[a] {
			t.Errorf("%s imports %s, which the picture of docs/architecture.md does not say", a[0], a[1])
		}
	}
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s#]*)(#[^)\s]*)?\)`)
	codeSpan = regexp.MustCompile("`[^`\n]*`")
)

// TestDocsHaveNoDeadLinks: files, and the headings in them.
func TestDocsHaveNoDeadLinks(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/decisions/*.md", "../test/*/README.md"} {
		found := must.Get(filepath.Glob(pattern))(t)
		pages = append(pages, found...)
	}
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(read(t, page), ""), -1) {
			target, anchor := m[1], m[2]
			if strings.Contains(target, ":") {
				continue
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			text, err := os.ReadFile(file)
			if info, statErr := os.Stat(file); statErr == nil && info.IsDir() {
				continue
			}
			if err != nil {
				t.Errorf("%s links to %s: %v", page, target, err)
			} else if anchor != "" && !slices.Contains(anchors(string(text)), anchor) {
				t.Errorf("%s links to %s%s, and there is no such heading", page, target, anchor)
			}
		}
	}
}

var (
	testName   = regexp.MustCompile("`(Test[A-Z]\\w*)`")
	folderName = regexp.MustCompile("`((?:api|conversion|internal|validation|webhook|config|cmd|test|docs|tools|\\.ci)" +
		"/[\\w./-]*)`")
)

// TestDocsNameExistingThings: the tests and files that CONTRIBUTING and the architecture page send people to.
func TestDocsNameExistingThings(t *testing.T) {
	var code strings.Builder
	must.Do(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, "_test.go") {
			code.WriteString(read(t, path))
		}
		return err
	}))
	for _, page := range []string{"../CONTRIBUTING.md", "../docs/architecture.md"} {
		text := read(t, page)
		for _, m := range testName.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(code.String(), "\nfunc "+m[1]+"(") {
				t.Errorf("%s names %s, and there is no such test", page, m[1])
			}
		}
		for _, m := range folderName.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
				t.Errorf("%s names %s: %v", page, m[1], err)
			}
		}
	}
}

// TestDocsHaveEveryKindOfEntry checks that each kind of entry that users can find in stored claims is documented.
func TestDocsHaveEveryKindOfEntry(t *testing.T) {
	page, found := read(t, "../docs/conversion.md"), 0
	for _, file := range must.Get(filepath.Glob("../internal/conversion/*/*.go"))(t) {
		for _, m := range regexp.MustCompile(`\tKind\w+ += "(\w+)"`).FindAllStringSubmatch(read(t, file), -1) {
			found++
			if !strings.Contains(page, "`"+m[1]+"`") {
				t.Errorf("docs/conversion.md does not say where a %s comes from", m[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d kinds of entries are found", found)
	}
}

// anchors of the headings of a page, as GitHub makes them.
func anchors(text string) (all []string) {
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
		all = append(all, "#"+b.String())
	}
	return all
}

// TestDocsSamplesAreTested checks that the Go samples of pages are in a test, line by line, so
// that they compile and run.
func TestDocsSamplesAreTested(t *testing.T) {
	for _, sample := range []struct {
		page, file  string
		first, last int // samples of the page that are in the file, counted from 1
	}{
		{"../docs/envtest.md", "../webhook/webhooktest/sample_test.go", 1, 1},
		{"../docs/envtest.md", "../webhook/webhooktest/program_test.go", 4, 5},
		{"../docs/go.md", "../conversion/example_test.go", 1, 3},
	} {
		page := sample.page
		lines := strings.Split(read(t, sample.file), "\n")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		blocks := strings.Split(read(t, page), "```go\n")
		if len(blocks) <= sample.last {
			t.Errorf("%s has %d samples in Go, want at least %d", page, len(blocks)-1, sample.last)
			continue
		}
		for _, block := range blocks[sample.first : sample.last+1] {
			code, _, _ := strings.Cut(block, "```")
			for line := range strings.Lines(code) {
				if line = strings.TrimSpace(line); !slices.Contains(lines, line) {
					t.Errorf("%s: the sample has a line that is not in %s: %s", page, sample.file, line)
				}
			}
		}
	}
}
