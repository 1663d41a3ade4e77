package input

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// writeTree writes files to a new directory, which becomes the working directory.
func writeTree(t *testing.T, files map[string]string) {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		name = filepath.Join(top, name)
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	t.Chdir(top)
}

// listPaths returns the paths of the listed files, or their errors.
func listPaths(in Input) (all []string) {
	for _, f := range in.List() {
		if f.Err != nil {
			all = append(all, f.Err.Error())
		} else {
			all = append(all, filepath.ToSlash(f.Path))
		}
	}
	return all
}

func TestList(t *testing.T) {
	files := map[string]string{
		".gitignore":           "/gen\n*.tmp.yaml\n",
		"a.yaml":               "",
		"other.tmp.yaml":       "",
		"readme.md":            "",
		"gen/x.yaml":           "",
		".github/w.yaml":       "",
		"deploy/b.YML":         "",
		"deploy/gen/c.json":    "",
		"deploy/.gitignore":    "d.yaml",
		"deploy/d.yaml":        "",
		"deploy/vendor/e.yaml": "",
		"deploy/deep/d.yaml":   "",
		"deploy/deep/f.yaml":   "",
		"sub/.gitignore":       "y.yaml",
		"sub/x.tmp.yaml":       "",
		"sub/y.yaml":           "",
	}
	writeTree(t, files)
	git(t, ".", "init", "--quiet")
	git(t, "sub", "init", "--quiet")
	git(t, ".", "add", "--force", "other.tmp.yaml") // a tracked file is read, whatever .gitignore says
	git(t, ".", "add", "a.yaml")
	recursive := func(exclude ...string) Input { return Input{Files: []string{"."}, Recursive: true, Exclude: exclude} }
	everything := []string{
		".github/w.yaml",
		"a.yaml",
		"deploy/b.YML",
		"deploy/deep/f.yaml",
		"deploy/gen/c.json",
		"deploy/vendor/e.yaml",
		"other.tmp.yaml",
		"sub/x.tmp.yaml",
	}
	for name, test := range map[string]struct {
		in   Input
		want []string
	}{
		"a directory": {Input{Files: []string{"deploy"}}, []string{"deploy/b.YML"}},
		"a directory with subdirectories": {
			Input{Files: []string{"deploy"}, Recursive: true},
			[]string{"deploy/b.YML", "deploy/deep/f.yaml", "deploy/gen/c.json", "deploy/vendor/e.yaml"},
		},
		"a repository": {recursive(), everything},
		"an ignored directory": {
			Input{Files: []string{"gen"}},
			[]string{
				"gen: no *.json, *.yaml or *.yml in this directory (after --exclude and .gitignore); " +
					"use -R to read subdirectories",
			},
		},
		"named files": {
			Input{Files: []string{"gen/x.yaml", "readme.md"}},
			[]string{"gen/x.yaml", "readme.md"},
		},
		"other files": {
			Input{Files: []string{"deploy/deep"}, IncludeOtherFiles: true},
			[]string{"deploy/deep/f.yaml"},
		},
		"a missing file": {Input{Files: []string{"nope"}}, []string{"nope: no such file or directory"}},
		"a skipped directory": {
			Input{Files: []string{"."}, Recursive: true, SkipDir: abs(t, "deploy")},
			[]string{".github/w.yaml", "a.yaml", "other.tmp.yaml", "sub/x.tmp.yaml"},
		},
		"excluded names": {
			recursive("deep", "*.tmp.yaml"),
			[]string{".github/w.yaml", "a.yaml", "deploy/b.YML", "deploy/gen/c.json", "deploy/vendor/e.yaml"},
		},
		"excluded paths": {
			recursive("deploy/**", "sub/"),
			[]string{".github/w.yaml", "a.yaml", "other.tmp.yaml"},
		},
		"paths anywhere": {
			recursive("**/deep/*.yaml", "{sub,.github}/*"),
			[]string{"a.yaml", "deploy/b.YML", "deploy/gen/c.json", "deploy/vendor/e.yaml", "other.tmp.yaml"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, listPaths(test.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Outside of Git all files of a directory are read, except hidden directories, dependencies, and the files that a
// nested repository ignores.
func TestFilesOfADirectoryOutsideOfGit(t *testing.T) {
	writeTree(t, map[string]string{
		".gitignore":            "a.yaml",
		"a.yaml":                "",
		".hidden/b.yaml":        "",
		".c.yaml":               "",
		"vendor/d.yaml":         "",
		"x/node_modules/e.yaml": "",
		"x/f.yaml":              "",
		"repo/.gitignore":       "g.yaml", "repo/g.yaml": "", "repo/vendor/h.yaml": "",
	})
	git(t, "repo", "init", "--quiet")
	want := []string{".c.yaml", "a.yaml", "repo/vendor/h.yaml", "x/f.yaml"}
	if diff := cmp.Diff(want, listPaths(Input{Files: []string{"."}, Recursive: true})); diff != "" {
		t.Error(diff)
	}
	want = []string{"vendor/d.yaml", ".hidden/b.yaml"}
	if diff := cmp.Diff(want, listPaths(Input{Files: []string{"vendor", ".hidden"}, Recursive: true})); diff != "" {
		t.Error(diff)
	}
}

// Git sets variables for hooks that name the repository in which it runs, and not the directory that is read.
func TestGitVariablesOfHooksAreIgnored(t *testing.T) {
	writeTree(t, map[string]string{"repo/.gitignore": "b.yaml", "repo/a.yaml": "", "repo/b.yaml": "", "other/c.yaml": ""})
	git(t, "repo", "init", "--quiet")
	git(t, "other", "init", "--quiet")
	for name, value := range map[string]string{
		"GIT_DIR":        abs(t, "other/.git"),
		"GIT_WORK_TREE":  abs(t, "other"),
		"GIT_INDEX_FILE": abs(t, "other/.git/index"),
		"GIT_PREFIX":     "x/",
	} {
		t.Setenv(name, value)
	}
	if diff := cmp.Diff([]string{"repo/a.yaml"}, listPaths(Input{Files: []string{"repo"}})); diff != "" {
		t.Error(diff)
	}
}

// Without git, or where it rejects a repository, the directory is read without .gitignore, with a warning.
func TestWithoutGitADirectoryIsReadWithAWarning(t *testing.T) {
	writeTree(t, map[string]string{
		"repo/.gitignore": "b.yaml", "repo/a.yaml": "", "repo/b.yaml": "", "repo/vendor/c.yaml": "",
	})
	git(t, "repo", "init", "--quiet")
	const notApplied = "repo: .gitignore is not applied, so ignored files are read too: git ls-files: "
	for name, test := range map[string]struct{ variable, value, want string }{
		"no git": {
			"PATH",
			abs(t, "repo"),
			notApplied + "exec: \"git\": executable file not found in $PATH",
		},
		"another's files": {
			"GIT_TEST_ASSUME_DIFFERENT_OWNER",
			"1",
			notApplied + "detected dubious ownership in repository at '" + abs(t, "repo") + "'",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(test.variable, test.value)
			t.Setenv("HOME", abs(t, "repo")) // without a configuration that marks all directories as safe
			t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			want := []string{test.want, "repo/a.yaml", "repo/b.yaml"}
			if diff := cmp.Diff(want, listPaths(Input{Files: []string{"repo"}, Recursive: true})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A repository may be hostile: its configuration must not run a program, and neither its index nor a link may lead out
// of it or into .git.
func TestHostileRepositories(t *testing.T) {
	writeTree(t, map[string]string{"repo/a.yaml": "", "repo/folder/b.yaml": "", "outside/b.yaml": ""})
	git(t, "repo", "init", "--quiet")
	git(t, "repo", "add", "--all")
	git(t, "repo", "config", "core.fsmonitor", "touch "+abs(t, "ran")+"; false")
	must.Do(t, os.RemoveAll("repo/folder"))
	must.Do(t, os.WriteFile("repo/.git/c.yaml", nil, 0o600))
	for link, to := range map[string]string{
		"repo/folder": "../outside", "repo/in-git.yaml": ".git/c.yaml", "repo/out.yaml": "../outside/b.yaml",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	got := listPaths(Input{Files: []string{"repo"}, Recursive: true})
	if len(got) != 2 || got[0] != "repo/a.yaml" || !strings.HasPrefix(got[1], "repo/out.yaml: is a link to ") {
		t.Errorf("%q", got)
	}
	if _, err := os.Stat("ran"); err == nil {
		t.Error("a program of the repository was run")
	}
}

func TestExcludeRejectsInvalidPatterns(t *testing.T) {
	for _, pattern := range []string{"", "[a", "{a,b"} {
		if err := (Exclude{"a", pattern}).Check(); err == nil {
			t.Errorf("%q is accepted", pattern)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = dir, gitenv.Clean()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func abs(t *testing.T, name string) string {
	t.Helper()
	return must.Get(filepath.Abs(name))(t)
}

func TestLinksInADirectory(t *testing.T) {
	writeTree(t, map[string]string{"d/a.yaml": "", "d/readme.md": "", "elsewhere/x.yaml": ""})
	for link, to := range map[string]string{
		"d/folder": "../elsewhere", "d/file.yaml": "a.yaml", "d/nothing.yaml": "nope",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	want := []string{
		"d/a.yaml", // d/file.yaml is a second name of it
		"d/nothing.yaml: is a broken symbolic link, skipped; remove it, or use --exclude",
	}
	if diff := cmp.Diff(want, listPaths(Input{Files: []string{"d"}, Recursive: true})); diff != "" {
		t.Error(diff)
	}
	want = append(want, "d/readme.md")
	in := Input{Files: []string{"d"}, Recursive: true, IncludeOtherFiles: true}
	if diff := cmp.Diff(want, listPaths(in)); diff != "" {
		t.Error(diff)
	}
}

// A directory that becomes a link after it was listed is not followed out of the directory that the user named.
func TestAListedFileIsNotReadThroughANewLink(t *testing.T) {
	writeTree(t, map[string]string{"d/deep/a.yaml": "ours", "elsewhere/a.yaml": "theirs"})
	in := Input{Files: []string{"d"}, Recursive: true}
	all := in.List()
	if f, err := all[0].Location().Open(); err != nil {
		t.Fatal(err)
	} else if err := errors.Join(f.Close(), os.Rename("d/deep", "d/away")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../elsewhere", "d/deep"); err != nil {
		t.Skip(err)
	}
	if _, err := all[0].Location().Open(); err == nil || !strings.HasPrefix(err.Error(), "openat d/deep/a.yaml: ") {
		t.Errorf("%v", err)
	}
}

func TestHoldsNoObject(t *testing.T) {
	object := "apiVersion: v1\nkind: ConfigMap\n"
	tests := map[string]struct {
		text string
		want bool
	}{
		"values of a chart":             {"image: x\n", true},
		"invalid YAML":                  {"a: b: c\n", true},
		"a template":                    {"{{ if .x }}\nkind: {{ .y }}\n{{ end }}\n", true},
		"an array of JSON":              {"[1]\n", true},
		"an object":                     {object, false},
		"an object after another value": {"a: 1\n---\n" + object, false},
		"a list of JSON": {
			`{"items":[{"apiVersion":"v1","kind":"A"}],"kind":"List","apiVersion":"v1"}`,
			false,
		},
		"an untyped list of claims": {
			`{"items":[{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim"}]}`,
			false,
		},
		"nothing":                    {"# empty\n---\n", false},
		"values that mention claims": {"resourceClaims: []\n", true},
		"an OpenAPI document that mentions claims": {
			`{"components":{"schemas":{"a":"resource.k8s.io"}},"openapi":"3.0.0"}`,
			true,
		},
		"a schema without $schema": {
			`{"type":"object","properties":{"resourceClaims":{"type":"array"}}}`,
			true,
		},
		"a claim after a schema": {
			"type: object\nproperties: {}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n",
			false,
		},
		"a claim with a misspelled type": {
			"apiversion: resource.k8s.io/v1\nKind: ResourceClaim\ntype: object\nproperties: {}\n",
			false,
		},
		"an untyped claim": {
			"metadata: {name: resourceClaims}\nspec: {}\ntype: object\nproperties: {}\n",
			true,
		},
		"a list of untyped claims": {
			`{"type":"object","properties":{},"items":[{"metadata":{"name":"resourceClaims"}}]}`,
			true,
		},
		"values with a schema reference": {
			"$schema: ./values.schema.json\nextraObjects:\n- {apiVersion: resource.k8s.io/v1beta1, kind: " +
				"ResourceClaim}\n",
			false,
		},
		"a claim by a merge key, in a schema": {
			"$schema: http://json-schema.org/schema#\nx: &x {apiVersion: resource.k8s.io/v1, kind: " +
				"ResourceClaim}\n<<: *x\n",
			false,
		},
		"a schema of objects": {
			`{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string",` +
				`"description":"resourceClaims"}}}`,
			true,
		},
		"an object that is also an OpenAPI document": {"openapi: 3.0.0\nkind: A\nname: resourceClaims\n", false},
		"a template of a claim": {
			"{{ if .x }}\napiVersion: resource.k8s.io/{{ .v }}\n{{ end }}",
			false,
		},
		"a word across the end of a chunk": {
			"a: b: " + strings.Repeat("x", 64<<10-9) + " resource.k8s.io\n",
			false,
		},
		"a word at the very end": {
			"a: b: " + strings.Repeat("x", 200<<10) + " resourceClaims",
			false,
		},
		"UTF-16": {"\xff\xfea\x00", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			words := []string{"resource.k8s.io", "resourceClaims"}
			if got := holdsNoObject(strings.NewReader(test.text), "a.yaml", words); got != test.want {
				t.Error(got)
			}
		})
	}
}

// Temporary files of a killed run are not manifests, and users would not look for them.
func TestTemporaryFilesOfAKilledRunAreReported(t *testing.T) {
	writeTree(t, map[string]string{"a.yaml": "", ".claimbridge-123": ""})
	listed := listPaths(Input{Files: []string{"."}})
	const want = ".claimbridge-123: is a temporary file"
	if len(listed) != 2 || !strings.HasPrefix(listed[0], want) || listed[1] != "a.yaml" {
		t.Errorf("%q", listed)
	}
}
