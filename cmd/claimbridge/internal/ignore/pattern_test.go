package ignore

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestPatterns(t *testing.T) {
	tests := map[string]struct {
		lines string
		left  []string // paths, folders with a slash
		stay  []string
	}{
		"a name is one wherever it is":              {"gen.yaml", []string{"gen.yaml", "a/b/gen.yaml", "gen.yaml/"}, []string{"gen.yaml.txt", "xgen.yaml"}},
		"a slash in front ties it to the folder":    {"/gen.yaml", []string{"gen.yaml"}, []string{"a/gen.yaml"}},
		"and so does one within":                    {"a/gen", []string{"a/gen"}, []string{"b/a/gen"}},
		"a slash at the end is for folders":         {"gen/", []string{"gen/", "a/gen/"}, []string{"gen"}},
		"a star does not pass a slash":              {"a/*.yaml", []string{"a/x.yaml"}, []string{"a/b/x.yaml"}},
		"two stars in front do":                     {"**/x/y", []string{"x/y", "a/x/y", "a/b/x/y"}, []string{"x/b/y"}},
		"two stars within do":                       {"a/**/y", []string{"a/y", "a/b/y", "a/b/c/y"}, []string{"y", "b/a/y"}},
		"two stars at the end are what is below":    {"a/**", []string{"a/x", "a/b/x"}, []string{"a/", "b/a/x"}},
		"stars beside letters are one":              {"a**b", []string{"ab", "axxb"}, []string{"a/b"}},
		"a sign of exclamation takes it back":       {"*.yaml\n!keep.yaml", []string{"a.yaml"}, []string{"keep.yaml", "a/keep.yaml"}},
		"the last line counts":                      {"!a.yaml\n*.yaml", []string{"a.yaml"}, nil},
		"a question is one letter, a bracket some":  {"?[!b-d].y", []string{"xa.y"}, []string{"xb.y", "xd.y", "a.y"}},
		"classes of POSIX are in brackets":          {"[[:alpha:]_]\n[![:punct:]a]1\n[[:none:]c]2\n[:digit:]3", []string{"b", "_", "b1", "d3"}, []string{"1", "-1", "a1", "c2", "43"}},
		"and a class that does not end is letters":  {"[[:alpha]1\n[[:]2\n[[:alpha:]", []string{"[1", ":1", "h1", "[2", ":2"}, []string{"b1", "12", "x", "]1"}},
		"comments, empty lines, spaces, line ends":  {"# a\n\n  \r\nb.yaml  \r\nc\\ \n", []string{"b.yaml", "c "}, []string{"a", "c", "# a"}},
		"a backslash takes the meaning of signs":    {"\\#a\n\\!b\nx\\*", []string{"#a", "!b", "x*"}, []string{"a", "b", "xy"}},
		"braces mean nothing":                       {"{a,b}.yaml", []string{"{a,b}.yaml"}, []string{"a.yaml"}},
		"what is no pattern never matches":          {"[a\n[[:alpha:\nb\\\nc", []string{"c"}, []string{"[a", "a", "b\\", "b"}},
		"a mark in front of the first line":         {"\xef\xbb\xbfa", []string{"a"}, nil},
		"nothing is left out of another folder":     {"*", nil, []string{"../x", "../work2/x"}},
		"everything, and a folder of it taken back": {"/*\n!/deploy/", []string{"x", "a/"}, []string{"deploy/"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var all Scope
			all.add(test.lines, "/work")
			for _, want := range []bool{true, false} {
				paths := map[bool][]string{true: test.left, false: test.stay}[want]
				for _, path := range paths {
					name, folder := strings.CutSuffix(path, "/")
					full := filepath.ToSlash(filepath.Clean("/work/" + name))
					if left := all.leavesOut(full, folder); left != want {
						t.Errorf("%q is left out: %v", path, left)
					}
				}
			}
		})
	}
}

// What git says of a tree is what a .gitignore means.
func TestGitLeavesOutTheSame(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	const seed = 14
	r := rand.New(rand.NewPCG(seed, seed))
	pieces := []string{"a", "b", "*", "**", "?", "[ab]", "[!a]", "a*", "*b", "ab", "[[:alpha:]]", "[^[:punct:]b]*", "*.[[:lower:][:digit:]]", "[]a]", "[[:space:]-b]", "[[:nothing:]]", "[:a:]",
		"[[:alpha]b", "[[:alpha", "[[:]a]", "[[:a]", "[[:alpha:]"}
	for range 40 {
		top, patterns := t.TempDir(), ""
		git(t, top, "init", "-q")
		for _, folder := range []string{".", "a", "b", "a/b", "a/a", "b/abb"} {
			must.Do(t, os.MkdirAll(filepath.Join(top, folder), 0o700))
			for _, name := range []string{"ab", "ba", "aab", "b.y"} {
				if info, err := os.Stat(filepath.Join(top, folder, name)); err == nil && info.IsDir() {
					continue
				}
				write(t, filepath.Join(top, folder, name), "")
			}
			var lines strings.Builder
			for range r.IntN(3) {
				lines.WriteString([]string{"", "", "!"}[r.IntN(3)] + []string{"", "", "/"}[r.IntN(3)])
				for i := range 1 + r.IntN(3) {
					lines.WriteString([]string{"", "/"}[min(i, 1)] + pieces[r.IntN(len(pieces))])
				}
				lines.WriteString([]string{"", "", "/"}[r.IntN(3)] + "\n")
			}
			write(t, filepath.Join(top, folder, ".gitignore"), lines.String())
			patterns += folder + ":\n" + lines.String()
		}
		want := git(t, top, "ls-files", "--others", "--exclude-standard")
		if diff := cmp.Diff(want, walk(t, top)); diff != "" {
			t.Fatalf("(-git +ours)\n%s%s", diff, patterns)
		}
	}
}

func git(t *testing.T, folder string, args ...string) map[string]bool {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", folder, "-c", "core.excludesFile=", "-c", "core.quotePath=false"}, args...)...)
	cmd.Env = gitenv.Clean()
	out := must.Get(cmd.Output())(t)
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		found[strings.TrimSuffix(line, "\n")] = true
	}
	return found
}

// walk gives the files that are not left out.
func walk(t *testing.T, top string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	var rules Rules
	must.Do(t, filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == top {
			return err
		}
		left, err := rules.LeavesOutNamed(path, entry.IsDir())
		switch {
		case err != nil:
			return err
		case left && entry.IsDir():
			return fs.SkipDir
		case !left && !entry.IsDir():
			below, err := filepath.Rel(top, path)
			found[filepath.ToSlash(below)] = true
			return err
		}
		return nil
	}))
	return found
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(name, []byte(text), 0o600))
}

func TestAHostilePatternTakesNoTime(t *testing.T) {
	var all Scope
	all.add(strings.Repeat("**/a*", 200)+"b\n"+strings.Repeat("*a", 500)+"b\n", "/")
	begin := time.Now()
	all.leavesOut("/"+strings.Repeat("a/", 1000)+strings.Repeat("a", 1000), false)
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("%v", took)
	}
}

func TestAFileOfPatternsIsRefusedWhenItIsTooBig(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, ".claimbridgeignore"), strings.Repeat("a\n", maxFile))
	if _, err := new(Rules).Within(folder); err == nil || !strings.Contains(err.Error(), "bigger than 1 MiB") {
		t.Errorf("%v", err)
	}
	none := filepath.Join(folder, ".claimbridgeignore") // which cannot be entered, whoever runs this
	if _, err := new(Rules).Within(none); err == nil || !strings.HasPrefix(err.Error(), "lstat "+none+": ") {
		t.Errorf("%v", err)
	}
}

func TestWhatIsNoPatternIsSaid(t *testing.T) {
	for _, line := range []string{"", "  ", "/", "[a", "a\\"} {
		if _, err := Parse(line, "/"); err == nil {
			t.Errorf("%q is a pattern", line)
		}
	}
}
