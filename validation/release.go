package validation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// Release is a release of Kubernetes 1.x, by its minor number.
type Release int

// Releases whose rules differ from those of the previous one.
const (
	release1_26 Release = 26
	release1_30 Release = 30
	release1_31 Release = 31
	release1_32 Release = 32
	release1_33 Release = 33
	release1_34 Release = 34
	release1_35 Release = 35
	release1_36 Release = 36
	release1_37 Release = 37
	release1_38 Release = 38
)

// String returns the name of the release, such as 1.36.
func (r Release) String() string { return "1." + strconv.Itoa(int(r)) }

// Releases returns the releases whose rules can validate a version, oldest first: its default, and from 1.31 on all
// that serve it. It returns nil for an unknown version.
func Releases(version string) []string {
	row, known := api.Find(version)
	if !known {
		return nil
	}
	return slices.DeleteFunc(row.ServingReleases(), func(name string) bool {
		return name != row.Release && releaseOf(name) < release1_31
	})
}

// AllReleases returns all releases that have rules, oldest first.
func AllReleases() (names []string) {
	for _, r := range api.Releases() {
		if slices.ContainsFunc(api.Names(), func(version string) bool {
			return slices.Contains(Releases(version), r.Name)
		}) {
			names = append(names, r.Name)
		}
	}
	return names
}

// releaseOf returns the release with a name, which must be well-formed.
func releaseOf(name string) Release { return Release(api.Minor(name)) }

// defaultRelease of a version, which must be known.
func defaultRelease(version string) Release {
	row, _ := api.Find(version)
	return releaseOf(row.Release)
}

// validatingRelease returns the release with a name, or the default of a version for an empty name.
func validatingRelease(version, name string) (Release, error) {
	if name == "" {
		return defaultRelease(version), nil
	}
	if known := Releases(version); !slices.Contains(known, name) {
		return 0, fmt.Errorf("release: no rules for Kubernetes %.20q in %s: must be one of %s", name, version,
			strings.Join(known, ", "))
	}
	return releaseOf(name), nil
}
