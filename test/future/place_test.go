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

// place that somebody writes who adds a version or a release: a row of a table of CONTRIBUTING. Its file begins with the second and the last
// column of the row, and with the package whose test is red where the place is forgotten. Then comes what is written:
//
//	-- FILE --                a new file
//	-- FILE + LINE --         text behind each line of a file that has this in it
//	-- FILE ~ --              texts of a file and what becomes of them, a line each, with => between the two
//	-- = FILE... --           copies of files, with texts of their names and their content replaced in this way
//	-- $ COMMAND --           what a command writes, when all else is there
type place struct {
	name, in, red string
	asked         []string
	edits         []edit
	commands      [][]string
}

// edit of a file: what becomes of its text, which is empty where there is none yet.
type edit struct {
	file string
	of   func(text string) string
}

// root of the repository.
const root = "../.."

// placesOf a version or a release.
func placesOf(t *testing.T, what string) (all []place) {
	t.Helper()
	for _, file := range glob(t, "testdata/"+what+"/*.txtar") {
		archive := must.Get(txtar.ParseFile(file))(t)
		head := strings.Split(strings.TrimSpace(string(archive.Comment)), " | ")
		if len(head) != 3 {
			t.Fatalf("%s begins with %q", file, head)
		}
		p := place{name: what + ": " + strings.TrimSuffix(filepath.Base(file), ".txtar"), in: head[0], red: head[1], asked: strings.Fields(head[2])}
		for _, section := range archive.Files {
			text := string(section.Data)
			if name, line, isBehind := strings.Cut(section.Name, " + "); isBehind {
				p.edits = append(p.edits, edit{name, func(before string) string { return behind(t, name, before, line, text) }})
			} else if name, isReplaced := strings.CutSuffix(section.Name, " ~"); isReplaced {
				p.edits = append(p.edits, edit{name, func(before string) string { return replaced(t, name, before, text) }})
			} else if command, isCommand := strings.CutPrefix(section.Name, "$ "); isCommand {
				p.commands = append(p.commands, strings.Fields(command))
			} else if names, areCopied := strings.CutPrefix(section.Name, "= "); areCopied {
				for name := range strings.FieldsSeq(names) {
					for _, from := range glob(t, filepath.Join(root, name)) {
						to := pairs(t, text).Replace(strings.TrimPrefix(from, root+"/"))
						p.edits = append(p.edits, edit{to, func(string) string { return pairs(t, text).Replace(read(t, from)) }})
					}
				}
			} else {
				p.edits = append(p.edits, edit{section.Name, func(string) string { return text }})
			}
		}
		all = append(all, p)
	}
	return all
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file matches %s: %v", pattern, err)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	content := must.Get(os.ReadFile(file))(t)
	return string(content)
}

func behind(t *testing.T, file, before, line, text string) string {
	t.Helper()
	var out strings.Builder
	for is := range strings.Lines(before) {
		out.WriteString(is)
		if strings.Contains(is, line) {
			out.WriteString(text)
		}
	}
	if out.Len() == len(before) {
		t.Fatalf("%s has no line with %q", file, line)
	}
	return out.String()
}

func replaced(t *testing.T, file, before, text string) string {
	t.Helper()
	after := pairs(t, text).Replace(before)
	if after == before {
		t.Fatalf("%s has nothing of\n%s", file, text)
	}
	return after
}

// pairs of texts, in which \n and \t stand for what they do elsewhere.
func pairs(t *testing.T, text string) *strings.Replacer {
	t.Helper()
	var all []string
	for line := range strings.Lines(text) {
		from, to, ok := strings.Cut(strings.NewReplacer("\n", "", `\n`, "\n", `\t`, "\t").Replace(line), " => ")
		if !ok {
			t.Fatalf("%q is no pair", line)
		}
		all = append(all, from, to)
	}
	return strings.NewReplacer(all...)
}

// The tables of CONTRIBUTING have a row for each place, which names what finds it missing, and stay short.
func TestContributingHasEveryPlace(t *testing.T) {
	text := read(t, filepath.Join(root, "CONTRIBUTING.md"))
	for what, atMost := range map[string]int{"version": 12, "release": 7} {
		_, section, _ := strings.Cut(text, "## Add a "+what)
		section, _, _ = strings.Cut(section, "\n## ")
		var rows []string
		for line := range strings.Lines(section) {
			if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| write |") {
				rows = append(rows, line)
			}
		}
		if len(rows) > atMost {
			t.Errorf("%s: %d rows, and %d are allowed", what, len(rows), atMost)
		}
		for _, p := range placesOf(t, what) {
			if !slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, p.in) && strings.Contains(row, p.red) }) {
				t.Errorf("%s: no row says that %s is found missing by %s", p.name, p.in, p.red)
			}
		}
	}
}
