package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// Validator is the code of one release of Kubernetes: the module file and the build tags that make its
// program in test/upstream, and the versions of claims that it serves, by the table of package api.
type Validator struct {
	Name, Modfile, Tags string
	Versions            []string
	// Seldom is only built and asked when it is named: what it says of a version, a release beside it says as well.
	Seldom bool
	// Toolchain of Go that builds it, where the project's own is too old. Empty for the project's own.
	Toolchain string
}

// IsProvisional reports whether the release is not published. Its validator is a pre-release, which is only built and
// asked when it is named: the toolchain that it needs may not be available.
func (v Validator) IsProvisional() bool {
	release, _ := api.FindRelease(v.Name)
	return release.Provisional != ""
}

// Validators of all releases that differ, oldest first.
var Validators = serve([]Validator{
	{Name: "1.26", Modfile: "v1.26.mod"},
	{Name: "1.30", Modfile: "v1.30.mod"},
	{Name: "1.31", Modfile: "go.mod"},
	{Name: "1.32", Modfile: "v1.32.mod", Seldom: true},
	{Name: "1.33", Modfile: "v1.33.mod", Tags: "from_1_33"},
	{Name: "1.34", Modfile: "v1.34.mod", Tags: "from_1_33", Seldom: true},
	{Name: "1.35", Modfile: "v1.35.mod", Tags: "from_1_33", Seldom: true},
	{Name: "1.36", Modfile: "v1.36.mod", Tags: "from_1_33,from_1_36"},
	{Name: "1.37", Modfile: "v1.37.mod", Tags: "from_1_33,from_1_36"},
	{Name: "1.38", Modfile: "v1.38.mod", Tags: "from_1_33,from_1_36", Toolchain: "go1.27.4"},
})

func serve(validators []Validator) []Validator {
	for i := range validators {
		for _, v := range api.Versions() {
			if slices.Contains(v.Served(), validators[i].Name) {
				validators[i].Versions = append(validators[i].Versions, v.Name)
			}
		}
	}
	return validators
}

// Usual returns the release that validates a version by default.
var Usual = func() map[string]string {
	usual := map[string]string{}
	for _, v := range api.Versions() {
		usual[v.Name] = v.Release
	}
	return usual
}()

// Find the validator of a release.
func Find(release string) (Validator, bool) {
	at := slices.IndexFunc(Validators, func(j Validator) bool { return j.Name == release })
	if at < 0 {
		return Validator{}, false
	}
	return Validators[at], true
}

// Published are the validators of releases that are published.
func Published() []Validator {
	return slices.DeleteFunc(slices.Clone(Validators), Validator.IsProvisional)
}

// Chosen validators: those of the releases in a text, such as "1.31 1.38", those of all published releases for "all",
// or those of them that are not asked seldom when it is empty.
func Chosen(releases string) (chosen []Validator, err error) {
	switch releases {
	case "":
		return slices.DeleteFunc(Published(), func(j Validator) bool { return j.Seldom }), nil
	case "all":
		return Published(), nil
	}
	for _, name := range strings.Fields(releases) {
		j, found := Find(name)
		if !found {
			return nil, fmt.Errorf("there is no validator of Kubernetes %s", name)
		}
		chosen = append(chosen, j)
	}
	return chosen, nil
}

// serving are the validators whose releases serve a version.
func serving(version string) []Validator {
	return slices.DeleteFunc(slices.Clone(Validators), func(j Validator) bool {
		return !slices.Contains(j.Versions, version)
	})
}
