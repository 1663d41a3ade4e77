package test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/programs"
)

// judge is the code of one release of Kubernetes: the module file and the build tags that make its program, and the
// versions of claims that it serves.
type judge struct {
	name, modfile, tags string
	versions            []string
	// seldom is only built and asked by make test-releases: what it says of a version, a release beside it says as well.
	seldom bool
}

var judges = []judge{
	{name: "1.26", modfile: "v1.26.mod", versions: []string{"v1alpha1"}},
	{name: "1.30", modfile: "v1.30.mod", versions: []string{"v1alpha2"}},
	{name: "1.31", modfile: "go.mod", versions: []string{"v1alpha3"}},
	{name: "1.32", modfile: "v1.32.mod", versions: []string{"v1alpha3", "v1beta1"}, seldom: true},
	{name: "1.33", modfile: "v1.33.mod", tags: "from_1_33", versions: []string{"v1alpha3", "v1beta1", "v1beta2"}},
	{name: "1.34", modfile: "v1.34.mod", tags: "from_1_33", versions: []string{"v1beta1", "v1beta2", "v1"}, seldom: true},
	{name: "1.35", modfile: "v1.35.mod", tags: "from_1_33", versions: []string{"v1beta1", "v1beta2", "v1"}, seldom: true},
	{name: "1.36", modfile: "v1.36.mod", tags: "from_1_33,from_1_36", versions: []string{"v1beta1", "v1beta2", "v1"}},
	{name: "1.37", modfile: "v1.37.mod", tags: "from_1_33,from_1_36", versions: []string{"v1beta1", "v1beta2", "v1"}},
}

// release that a version is judged by, unless somebody asks for another one.
type release struct {
	version string
	judge
}

var releases = []release{
	{"v1alpha1", judgeOf("1.26")},
	{"v1alpha2", judgeOf("1.30")},
	{"v1alpha3", judgeOf("1.31")},
	{"v1beta1", judgeOf("1.36")},
	{"v1beta2", judgeOf("1.36")},
	{"v1", judgeOf("1.36")},
}

// pairs of a version and a chosen judge that serves it.
func pairs() (all []release) {
	for _, j := range chosen {
		for _, version := range j.versions {
			all = append(all, release{version, j})
		}
	}
	return all
}

func judgeOf(name string) judge {
	return judges[slices.IndexFunc(judges, func(j judge) bool { return j.name == name })]
}

// chosen judges are built and asked in this run: those of make test, or with CLAIMBRIDGE_RELEASES=all every one.
var chosen = slices.DeleteFunc(slices.Clone(judges), func(j judge) bool {
	return j.seldom && os.Getenv("CLAIMBRIDGE_RELEASES") != "all"
})

// Each release with devices that served a version has a judge of it. Those before are judged by one release a version.
func TestEveryReleaseHasAJudge(t *testing.T) {
	for _, v := range api.Versions() {
		for _, name := range v.Served {
			if !v.Devices {
				continue
			}
			at := slices.IndexFunc(judges, func(j judge) bool { return j.name == name })
			if at < 0 {
				t.Errorf("Kubernetes %s served %s: a row of judges is missing, and a module file in test/upstream", name, v.Name)
			} else if !slices.Contains(judges[at].versions, v.Name) {
				t.Errorf("the row of Kubernetes %s does not have %s", name, v.Name)
			}
		}
	}
	for _, j := range judges {
		for _, version := range j.versions {
			if v, _ := api.Find(version); !slices.Contains(v.Served, j.name) {
				t.Errorf("Kubernetes %s does not serve %s, by api/versions.go", j.name, version)
			}
		}
	}
}

// TestJudgesBuild builds what is not in the cache yet; make runs it first, as one build takes minutes.
func TestJudgesBuild(t *testing.T) {
	for _, j := range chosen {
		j.build(t)
	}
}

// build the judge of a release, or find it in the user's cache.
func (j judge) build(t *testing.T) string {
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
	program := programs.Program{
		Name: "judge", Dir: "upstream", Args: []string{"-modfile=" + j.modfile, "-tags=" + j.tags, "-ldflags", "-s -w", "."},
		Sources: append(sources, j.modfile, strings.TrimSuffix(j.modfile, ".mod")+".sum"),
	}
	folder, err := programs.Set{
		Name:     "judges/" + j.name,
		Patience: "building the judge of Kubernetes " + j.name + ", some minutes the first time, and downloads",
		Programs: []programs.Program{program},
	}.Folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, programs.File(program.Name))
}
