package test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/programs"
)

// release of Kubernetes that served a version of the API, and the module file that builds its judge.
type release struct{ version, name, modfile string }

var releases = []release{
	{"v1alpha1", "1.26", "v1.26.mod"},
	{"v1alpha2", "1.30", "v1.30.mod"},
	{"v1alpha3", "1.31", "go.mod"},
}

// TestJudgesBuild builds what is not in the cache yet; make runs it first, as one build takes minutes.
func TestJudgesBuild(t *testing.T) {
	for _, r := range releases {
		r.build(t)
	}
}

// build the judge of a release, or find it in the user's cache.
func (r release) build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: the judges compile Kubernetes, which takes minutes the first time")
	}
	sources, err := filepath.Glob(filepath.Join("upstream", "*.go"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources of the judges: %v", err)
	}
	sources = slices.DeleteFunc(sources, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	for i, file := range sources {
		sources[i] = filepath.Base(file)
	}
	judge := programs.Program{
		Name: "judge", Dir: "upstream", Args: []string{"-modfile=" + r.modfile, "."},
		Sources: append(sources, r.modfile, strings.TrimSuffix(r.modfile, ".mod")+".sum"),
	}
	folder, err := programs.Set{
		Name:     "judges/" + r.name,
		Patience: "building the judge of Kubernetes " + r.name + ", some minutes the first time, and downloads",
		Programs: []programs.Program{judge},
	}.Folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, programs.File(judge.Name))
}
