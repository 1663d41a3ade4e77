package future

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// place that somebody writes who adds a version or a release: a row of a table of CONTRIBUTING.
type place struct {
	// write and in say what to write and where, as the first two columns of the row do.
	write, in string
	changes   []change
	// red is a package and a test that fails where the place is forgotten; none for what the compiler finds.
	red string
}

// change of a file: text is inserted before each anchor. Without an anchor it is a new file. From is a file or a folder to copy, in
// which the first text of each pair is replaced by the second.
type change struct {
	file, before, text string
	from               string
	replace            []string
}

// root of the repository.
const root = "../.."

// tree is a copy of the repository, with places written.
func tree(t *testing.T, places []place) string {
	t.Helper()
	folder := t.TempDir()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for name := range strings.SplitSeq(string(names), "\x00") {
		if info, err := os.Lstat(filepath.Join(root, name)); err != nil || !info.Mode().IsRegular() {
			continue // removed, or a link
		}
		write(t, filepath.Join(folder, name), read(t, filepath.Join(root, name)))
	}
	for _, p := range places {
		for _, c := range p.changes {
			c.apply(t, folder)
		}
	}
	return folder
}

func (c change) apply(t *testing.T, folder string) {
	t.Helper()
	to := filepath.Join(folder, c.file)
	if c.from != "" {
		copied := 0
		from := filepath.Join(folder, c.from)
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			copied++
			write(t, filepath.Join(to, strings.TrimPrefix(path, from)), []byte(strings.NewReplacer(c.replace...).Replace(string(read(t, path)))))
			return nil
		})
		if err != nil || copied == 0 {
			t.Fatalf("%s: %d files to copy: %v", c.from, copied, err)
		}
		return
	}
	if c.before == "" {
		write(t, to, []byte(c.text))
		return
	}
	text := read(t, to)
	if !bytes.Contains(text, []byte(c.before)) {
		t.Fatalf("%s has no %q: test/future writes before it", c.file, c.before)
	}
	write(t, to, bytes.ReplaceAll(text, []byte(c.before), []byte(c.text+c.before)))
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// run the go command in a tree. Paths are not in what is built, so that the next tree finds it in the cache.
func run(t *testing.T, folder string, arguments ...string) (output string, err error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOFLAGS=-trimpath", "CLAIMBRIDGE_OBJECTS=60")
	out, err := command.CombinedOutput()
	return string(out), err
}

// suites that range over versions and releases.
func suites(t *testing.T, folder string) {
	t.Helper()
	for _, suite := range [][]string{
		{"./conversion", "Laws|Step|Golden|Explain|Moves|MoveHasARow|Corpus|Samples|Fields|Strict|Opened"},
		{"./validation", "Rule|Example|Honest|Native|Version|Release|Dropped|Gated|LaterField|Field"},
		{"./webhook/internal/review", "."}, {"./test/objects", "."}, {"./test/next", "."},
	} {
		if output, err := run(t, folder, "test", "-vet=off", "-short", "-skip=^TestLaws$/^v1alpha._to_v1alpha", suite[0], "-run="+suite[1]); err != nil {
			t.Errorf("%s: %v\n%s", suite[0], err, output)
		}
	}
}

// converts published claims of each version to a version or a release, and back up again: nothing is lost, and the rules accept them.
func converts(t *testing.T, folder, to, want string) {
	t.Helper()
	program := filepath.Join(folder, "claimbridge")
	if output, err := run(t, folder, "build", "-o", program, "./cmd/claimbridge"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, from := range []string{"v1alpha2", "v1alpha3", "v1beta1", "v1"} {
		object := filepath.Join(folder, "test/testdata/typical", from+".json")
		there, err := exec.CommandContext(t.Context(), program, "convert", "--to="+to, object).CombinedOutput()
		if err != nil || !strings.Contains(string(there), want) && !strings.Contains(string(there), strings.ReplaceAll(want, ": ", `": "`)) {
			t.Errorf("claimbridge convert --to=%s %s: %v\n%s", to, object, err, there)
		}
	}
}

// without one of the places.
func without(places []place, at int) []place { return slices.Delete(slices.Clone(places), at, at+1) }

// The tables of CONTRIBUTING have a row for each place, and stay short.
func TestContributingHasEveryPlace(t *testing.T) {
	text := string(read(t, filepath.Join(root, "CONTRIBUTING.md")))
	for heading, test := range map[string]struct {
		places []place
		atMost int
	}{"## Add a version": {aVersion(t), 12}, "## Add a release": {aRelease(), 6}} {
		_, section, _ := strings.Cut(text, heading+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		var rows []string
		for line := range strings.Lines(section) {
			if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| write |") {
				rows = append(rows, line)
			}
		}
		if len(rows) > test.atMost {
			t.Errorf("%s: %d rows, and %d are allowed", heading, len(rows), test.atMost)
		}
		for _, p := range test.places {
			for in := range strings.SplitSeq(p.in, ", ") {
				if !slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, "| "+p.write) || strings.Contains(row, in) }) {
					t.Errorf("%s: no row for %s in %s", heading, p.write, in)
				}
			}
		}
	}
}
