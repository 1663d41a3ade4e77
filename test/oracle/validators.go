package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// Validator is the code of one release of Kubernetes: the module file and the build tags for its program in
// test/upstream, and the versions of claims that it serves, by the table of package api.
type Validator struct {
	Name, Modfile, Tags string
	Versions            []string
	// OnlyOnRequest is set for a release that is built only if RELEASES names it, or for all: an adjacent release has
	// the same results.
	OnlyOnRequest bool
	// Toolchain is the Go toolchain that builds it if that of the project is too old.
	Toolchain string
}

// IsProvisional reports whether the release is not published. Its validator is a pre-release, which is built only
// if RELEASES names it: the toolchain that it needs may not be available.
func (v Validator) IsProvisional() bool {
	release, _ := api.FindRelease(v.Name)
	return release.Provisional != ""
}

// Validators of all releases with different rules, oldest first.
var Validators = withVersions([]Validator{
	{Name: "1.26", Modfile: "v1.26.mod"},
	{Name: "1.30", Modfile: "v1.30.mod"},
	{Name: "1.31", Modfile: "go.mod"},
	{Name: "1.32", Modfile: "v1.32.mod", OnlyOnRequest: true},
	{Name: "1.33", Modfile: "v1.33.mod", Tags: "from_1_33"},
	{Name: "1.34", Modfile: "v1.34.mod", Tags: "from_1_33", OnlyOnRequest: true},
	{Name: "1.35", Modfile: "v1.35.mod", Tags: "from_1_33", OnlyOnRequest: true},
	{Name: "1.36", Modfile: "v1.36.mod", Tags: "from_1_33,from_1_36"},
	{Name: "1.37", Modfile: "v1.37.mod", Tags: "from_1_33,from_1_36"},
	{Name: "1.38", Modfile: "v1.38.mod", Tags: "from_1_33,from_1_36", Toolchain: "go1.27.4"},
})

// withVersions sets the versions that the releases serve.
func withVersions(validators []Validator) []Validator {
	for i := range validators {
		for _, v := range api.Versions() {
			if slices.Contains(v.ServingReleases(), validators[i].Name) {
				validators[i].Versions = append(validators[i].Versions, v.Name)
			}
		}
	}
	return validators
}

// DefaultReleases are the releases whose rules apply by default, by version.
var DefaultReleases = func() map[string]string {
	releases := map[string]string{}
	for _, v := range api.Versions() {
		releases[v.Name] = v.Release
	}
	return releases
}()

// Find returns the validator of a release.
func Find(release string) (Validator, bool) {
	at := slices.IndexFunc(Validators, func(v Validator) bool { return v.Name == release })
	if at < 0 {
		return Validator{}, false
	}
	return Validators[at], true
}

// Published returns the validators of releases that are published.
func Published() []Validator {
	return slices.DeleteFunc(slices.Clone(Validators), Validator.IsProvisional)
}

// Chosen returns the validators of the releases in a text, such as "1.31 1.38". For "all" it returns those of all
// published releases, and for "" those of them that do not have OnlyOnRequest.
func Chosen(releases string) (chosen []Validator, err error) {
	switch releases {
	case "":
		return slices.DeleteFunc(Published(), func(v Validator) bool { return v.OnlyOnRequest }), nil
	case "all":
		return Published(), nil
	}
	for _, name := range strings.Fields(releases) {
		v, found := Find(name)
		if !found {
			return nil, fmt.Errorf("there is no validator of Kubernetes %s", name)
		}
		chosen = append(chosen, v)
	}
	return chosen, nil
}

// serving returns the validators whose releases serve a version.
func serving(version string) []Validator {
	return slices.DeleteFunc(slices.Clone(Validators), func(v Validator) bool {
		return !slices.Contains(v.Versions, version)
	})
}
