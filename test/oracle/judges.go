package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// Judge is the code of one release of Kubernetes: the module file and the build tags that make its program in test/upstream, and the
// versions of claims that it serves.
type Judge struct {
	Name, Modfile, Tags string
	Versions            []string
	// Seldom is only built and asked when it is named: what it says of a version, a release beside it says as well.
	Seldom bool
}

// Judges of all releases that differ, oldest first.
var Judges = []Judge{
	{Name: "1.26", Modfile: "v1.26.mod", Versions: []string{"v1alpha1"}},
	{Name: "1.30", Modfile: "v1.30.mod", Versions: []string{"v1alpha2"}},
	{Name: "1.31", Modfile: "go.mod", Versions: []string{"v1alpha3"}},
	{Name: "1.32", Modfile: "v1.32.mod", Versions: []string{"v1alpha3", "v1beta1"}, Seldom: true},
	{Name: "1.33", Modfile: "v1.33.mod", Tags: "from_1_33", Versions: []string{"v1alpha3", "v1beta1", "v1beta2"}},
	{Name: "1.34", Modfile: "v1.34.mod", Tags: "from_1_33", Versions: []string{"v1beta1", "v1beta2", "v1"}, Seldom: true},
	{Name: "1.35", Modfile: "v1.35.mod", Tags: "from_1_33", Versions: []string{"v1beta1", "v1beta2", "v1"}, Seldom: true},
	{Name: "1.36", Modfile: "v1.36.mod", Tags: "from_1_33,from_1_36", Versions: []string{"v1beta1", "v1beta2", "v1"}},
	{Name: "1.37", Modfile: "v1.37.mod", Tags: "from_1_33,from_1_36", Versions: []string{"v1beta1", "v1beta2", "v1"}},
}

// Usual says by which release a version is judged unless somebody asks for another one.
var Usual = map[string]string{"v1alpha1": "1.26", "v1alpha2": "1.30", "v1alpha3": "1.31", "v1beta1": "1.36", "v1beta2": "1.36", "v1": "1.36"}

// Find the judge of a release.
func Find(release string) (Judge, bool) {
	at := slices.IndexFunc(Judges, func(j Judge) bool { return j.Name == release })
	if at < 0 {
		return Judge{}, false
	}
	return Judges[at], true
}

// Chosen judges: those of the releases in a text, such as "1.31 1.37", "all" of them, or all that are not asked seldom when it is empty.
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
