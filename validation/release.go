package validation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// release of Kubernetes, by its minor number.
type release int

// Releases in which rules differ.
const (
	release1_30 release = 30
	release1_31 release = 31
	release1_32 release = 32
	release1_33 release = 33
	release1_34 release = 34
	release1_35 release = 35
	release1_36 release = 36
	release1_37 release = 37
	release1_38 release = 38
)

func (r release) String() string { return "1." + strconv.Itoa(int(r)) }

// Releases whose rules a version can be judged by, oldest first: its default, and from 1.31 on all
// that served it. It is nil for a version that is not known.
func Releases(version string) []string {
	row, known := api.Find(version)
	if !known {
		return nil
	}
	return slices.DeleteFunc(row.Served(), func(name string) bool {
		return name != row.Release && releaseOf(name) < release1_31
	})
}

// AllReleases that there are rules of, oldest first.
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

// releaseOf the name of one that is known to be well-formed.
func releaseOf(name string) release { return release(api.Minor(name)) }

// defaultOf a version that is known.
func defaultOf(version string) release {
	row, _ := api.Find(version)
	return releaseOf(row.Release)
}

// judgeOf a version: the release that was asked for, or its default.
func judgeOf(version, name string) (release, error) {
	if name == "" {
		return defaultOf(version), nil
	}
	if can := Releases(version); !slices.Contains(can, name) {
		return 0, fmt.Errorf("release: there are no rules of Kubernetes %.20q for %s, only of %s", name, version,
			strings.Join(can, ", "))
	}
	return releaseOf(name), nil
}
