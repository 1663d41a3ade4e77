package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// Judge is the code of one release of Kubernetes: the module file and the build tags that make its
// program in test/upstream, and the versions of claims that it serves, by the table of package api.
type Judge struct {
	Name, Modfile, Tags string
	Versions            []string
	// Seldom is only built and asked when it is named: what it says of a version, a release beside it says as well.
	Seldom bool
}

// Judges of all releases that differ, oldest first.
var Judges = serve([]Judge{
	{Name: "1.26", Modfile: "v1.26.mod"},
	{Name: "1.30", Modfile: "v1.30.mod"},
	{Name: "1.31", Modfile: "go.mod"},
	{Name: "1.32", Modfile: "v1.32.mod", Seldom: true},
	{Name: "1.33", Modfile: "v1.33.mod", Tags: "from_1_33"},
	{Name: "1.34", Modfile: "v1.34.mod", Tags: "from_1_33", Seldom: true},
	{Name: "1.35", Modfile: "v1.35.mod", Tags: "from_1_33", Seldom: true},
	{Name: "1.36", Modfile: "v1.36.mod", Tags: "from_1_33,from_1_36"},
	{Name: "1.37", Modfile: "v1.37.mod", Tags: "from_1_33,from_1_36"},
})

func serve(judges []Judge) []Judge {
	for i := range judges {
		for _, v := range api.Versions() {
			if slices.Contains(v.Served(), judges[i].Name) {
				judges[i].Versions = append(judges[i].Versions, v.Name)
			}
		}
	}
	return judges
}

// Usual says by which release a version is judged unless somebody asks for another one.
var Usual = func() map[string]string {
	usual := map[string]string{}
	for _, v := range api.Versions() {
		usual[v.Name] = v.Release
	}
	return usual
}()

// Find the judge of a release.
func Find(release string) (Judge, bool) {
	at := slices.IndexFunc(Judges, func(j Judge) bool { return j.Name == release })
	if at < 0 {
		return Judge{}, false
	}
	return Judges[at], true
}

// Chosen judges: those of the releases in a text, such as "1.31 1.37", "all" of them, or all that
// are not asked seldom when it is empty.
func Chosen(releases string) (chosen []Judge, err error) {
	switch releases {
	case "":
		return slices.DeleteFunc(slices.Clone(Judges), func(j Judge) bool { return j.Seldom }), nil
	case "all":
		return Judges, nil
	}
	for _, name := range strings.Fields(releases) {
		j, found := Find(name)
		if !found {
			return nil, fmt.Errorf("there is no judge of Kubernetes %s", name)
		}
		chosen = append(chosen, j)
	}
	return chosen, nil
}

// serving are the judges whose releases serve a version.
func serving(version string) []Judge {
	return slices.DeleteFunc(slices.Clone(Judges), func(j Judge) bool { return !slices.Contains(j.Versions, version) })
}
