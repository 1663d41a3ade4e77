package input

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/ignore"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// tree of files in a folder, which becomes the working directory.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		name = filepath.Join(top, name)
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	t.Chdir(top)
}

// listed are the paths, and what is wrong instead of them.
func listed(in Input) (all []string) {
	for _, f := range in.List() {
		if f.Err != nil {
			all = append(all, f.Err.Error())
		} else {
			all = append(all, filepath.ToSlash(f.Path))
		}
	}
	return all
}

func TestFilesThatAreFound(t *testing.T) {
	files := map[string]string{
		".git/config.yaml":           "",
		".gitignore":                 "/gen\n*.tmp.yaml\n",
		".claimbridgeignore":         "vendor/\n!keep.tmp.yaml\n",
		"a.yaml":                     "",
		"keep.tmp.yaml":              "",
		"other.tmp.yaml":             "",
		"readme.md":                  "",
		"gen/x.yaml":                 "",
		"deploy/b.YML":               "",
		"deploy/gen/c.json":          "",
		"deploy/.gitignore":          "d.yaml",
		"deploy/d.yaml":              "",
		"deploy/vendor/e.yaml":       "",
		"deploy/deep/d.yaml":         "",
		"deploy/deep/f.yaml":         "",
		"deploy/other/.git/hook.yml": "",
		"sub/.git":                   "gitdir: elsewhere",
		"sub/x.tmp.yaml":             "",
	}
	tests := map[string]struct {
		in   Input
		want []string
	}{
		"a folder":                             {Input{Files: []string{"deploy"}}, []string{"deploy/b.YML"}},
		"a folder with its subfolders":         {Input{Files: []string{"deploy"}, Recursive: true}, []string{"deploy/b.YML", "deploy/deep/f.yaml", "deploy/gen/c.json"}},
		"a repository":                         {Input{Files: []string{"."}, Recursive: true}, []string{"a.yaml", "deploy/b.YML", "deploy/deep/f.yaml", "deploy/gen/c.json", "keep.tmp.yaml"}},
		"patterns of what is above hold below": {Input{Files: []string{"deploy/deep", "gen"}}, []string{"deploy/deep/f.yaml", "gen/x.yaml"}},
		"a repository of its own has its own":  {Input{Files: []string{"sub"}}, []string{"sub/x.tmp.yaml"}},
		"what is named is read":                {Input{Files: []string{"gen/x.yaml", "readme.md"}}, []string{"gen/x.yaml", "readme.md"}},
		"unless that is forced":                {Input{Files: []string{"gen/x.yaml", "gen", "a.yaml", "deploy/d.yaml"}, ForceExclude: true}, []string{"a.yaml"}},
		"one folder is not read":               {Input{Files: []string{"."}, Recursive: true, Except: abs(t, "deploy")}, nil},
		"no patterns":                          {Input{Files: []string{"deploy"}, Recursive: true, Ignore: ignore.Rules{None: true}}, []string{"deploy/b.YML", "deploy/d.yaml", "deploy/deep/d.yaml", "deploy/deep/f.yaml", "deploy/gen/c.json", "deploy/vendor/e.yaml"}},
		"other files":                          {Input{Files: []string{"deploy/deep"}, Others: true}, []string{"deploy/deep/f.yaml"}},
		"a file that is not there":             {Input{Files: []string{"nope"}}, []string{"nope: no such file or directory"}},
		"a folder without manifests":           {Input{Files: []string{".git"}, Ignore: ignore.Rules{None: true}}, []string{".git/config.yaml"}},
	}
	tree(t, files)
	here := filepath.ToSlash(abs(t, "."))
	var excluded []ignore.Pattern
	for _, line := range []string{"deep/", "!d.yaml", "/b.YML"} {
		p, _ := ignore.Parse(line, here) // each is one
		excluded = append(excluded, p)
	}
	tests["what is excluded beats files"] = struct {
		in   Input
		want []string
	}{Input{Files: []string{"deploy"}, Recursive: true, Ignore: ignore.Rules{Excluded: excluded}}, []string{"deploy/b.YML", "deploy/d.yaml", "deploy/gen/c.json"}}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if name == "one folder is not read" {
				test.in.Except, test.want = abs(t, "deploy"), []string{"a.yaml", "keep.tmp.yaml"}
			}
			if diff := cmp.Diff(test.want, listed(test.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func abs(t *testing.T, name string) string {
	t.Helper()
	return must.Get(filepath.Abs(name))(t)
}

func TestOddFilesOfAFolder(t *testing.T) {
	tree(t, map[string]string{"d/a.yaml": "", "d/readme.md": "", "elsewhere/x.yaml": ""})
	for link, to := range map[string]string{"d/folder": "../elsewhere", "d/file.yaml": "a.yaml", "d/nothing.yaml": "nope"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	want := []string{"d/a.yaml", "d/file.yaml", "d/nothing.yaml: is a link to nothing, skipped"}
	if diff := cmp.Diff(want, listed(Input{Files: []string{"d"}, Recursive: true})); diff != "" {
		t.Error(diff)
	}
	want = append(want, "d/readme.md")
	if diff := cmp.Diff(want, listed(Input{Files: []string{"d"}, Recursive: true, Others: true})); diff != "" {
		t.Error(diff)
	}
}

// A folder that becomes a link after it was listed is not followed out of the one that was named.
func TestWhatWasListedIsReadWhereItWas(t *testing.T) {
	tree(t, map[string]string{"d/deep/a.yaml": "ours", "elsewhere/a.yaml": "theirs"})
	in := Input{Files: []string{"d"}, Recursive: true}
	all := in.List()
	if f, err := all[0].Place().Open(); err != nil {
		t.Fatal(err)
	} else if err := errors.Join(f.Close(), os.Rename("d/deep", "d/away")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../elsewhere", "d/deep"); err != nil {
		t.Skip(err)
	}
	if _, err := all[0].Place().Open(); err == nil || !strings.HasPrefix(err.Error(), "openat d/deep/a.yaml: ") {
		t.Errorf("%v", err)
	}
}

func TestFilesThatHoldNoObject(t *testing.T) {
	object := "apiVersion: v1\nkind: ConfigMap\n"
	tests := map[string]struct {
		text string
		want bool
	}{
		"values of a chart":                         {"image: x\n", true},
		"what is no YAML":                           {"a: b: c\n", true},
		"a template":                                {"{{ if .x }}\nkind: {{ .y }}\n{{ end }}\n", true},
		"an array of JSON":                          {"[1]\n", true},
		"an object":                                 {object, false},
		"an object behind what is none":             {"a: 1\n---\n" + object, false},
		"a list of JSON":                            {`{"items":[{"apiVersion":"v1","kind":"A"}]}`, false},
		"nothing":                                   {"# empty\n---\n", false},
		"values that speak of claims":               {"resourceClaims: []\n", true},
		"what describes an API that does":           {`{"components":{"schemas":{"a":"resource.k8s.io"}},"openapi":"3.0.0"}`, true},
		"a schema that does not say it is one":      {`{"type":"object","properties":{"resourceClaims":{"type":"array"}}}`, true},
		"a claim behind one":                        {"type: object\nproperties: {}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n", false},
		"a claim with a misspelt type":              {"apiversion: resource.k8s.io/v1\nKind: ResourceClaim\ntype: object\nproperties: {}\n", false},
		"a claim without its type":                  {"metadata: {name: resourceClaims}\nspec: {}\ntype: object\nproperties: {}\n", true},
		"a list of claims without types":            {`{"type":"object","properties":{},"items":[{"metadata":{"name":"resourceClaims"}}]}`, true},
		"values with a schema of their own":         {"$schema: ./values.schema.json\nextraObjects:\n- {apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim}\n", false},
		"a claim by a merge key, in a schema":       {"$schema: http://json-schema.org/schema#\nx: &x {apiVersion: resource.k8s.io/v1, kind: ResourceClaim}\n<<: *x\n", false},
		"a schema of what objects have":             {`{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string","description":"resourceClaims"}}}`, true},
		"an object that says it is both":            {"openapi: 3.0.0\nkind: A\nname: resourceClaims\n", false},
		"a template that does":                      {"{{ if .x }}\napiVersion: resource.k8s.io/{{ .v }}\n{{ end }}", false},
		"a word across the end of what is read":     {"a: b: " + strings.Repeat("x", 64<<10-9) + " resource.k8s.io\n", false},
		"a word at the very end":                    {"a: b: " + strings.Repeat("x", 200<<10) + " resourceClaims", false},
		"UTF-16, which nobody knows without a look": {"\xff\xfea\x00", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := IsOther([]byte(test.text), "a.yaml", []string{"resource.k8s.io", "resourceClaims"}); got != test.want {
				t.Error(got)
			}
		})
	}
}

// What a run that was killed has left beside the files is nobody's manifest, and nobody would look for it.
func TestWhatAKilledRunLeftIsMentioned(t *testing.T) {
	tree(t, map[string]string{"a.yaml": "", ".claimbridge-123": ""})
	listed := listed(Input{Files: []string{"."}})
	if len(listed) != 2 || !strings.HasPrefix(listed[0], ".claimbridge-123: was left behind") || listed[1] != "a.yaml" {
		t.Errorf("%q", listed)
	}
}
