package api

import (
	"slices"
	"strconv"
	"strings"
)

// Release is a row of the table of Kubernetes releases.
type Release struct {
	// Name is the name of the release, such as 1.36.
	Name string
	// Provisional is the pre-release from which the rules of an unpublished release were read. It is empty if the release
	// is published, and its validation results are recorded.
	Provisional string
	// UncertainGates are feature gates that are off by default in the pre-release, and that the release may turn on. When
	// the release is published, set [Field.OnSince] of the fields of each gate that it turned on, and empty this list.
	UncertainGates []string
}

// releases is the table of releases that have claims, oldest first.
var releases = []Release{
	{Name: "1.26"},
	{Name: "1.27"},
	{Name: "1.28"},
	{Name: "1.29"},
	{Name: "1.30"},
	{Name: "1.31"},
	{Name: "1.32"},
	{Name: "1.33"},
	{Name: "1.34"},
	{Name: "1.35"},
	{Name: "1.36"},
	{Name: "1.37"},
	{Name: "1.38", Provisional: "v1.38.0-beta.0", UncertainGates: uncertainGates1_38},
}

// uncertainGates1_38 are the feature gates that are off by default in v1.38.0-beta.0, and that 1.38 may turn on.
var uncertainGates1_38 = []string{
	"DRADerivedAttributes",        // KEP-6080
	"DRAListTypeAttributes",       // KEP-5491: lists of values in expressions and constraints; has no field
	"DRAOptionalNodeOperations",   // KEP-5945
	"DRASharedConsumableCapacity", // KEP-5941: beta.0 does not have its fields
}

// Releases returns the table of Kubernetes releases that have claims, oldest first.
func Releases() []Release { return slices.Clone(releases) }

// FindRelease returns the release with a name such as 1.36.
func FindRelease(name string) (r Release, known bool) {
	at := slices.IndexFunc(releases, func(r Release) bool { return r.Name == name })
	if at < 0 {
		return Release{}, false
	}
	return releases[at], true
}

// Minor returns the minor number of a release name, for example 36 for 1.36. It returns 0 if the text is not the name
// of a release.
func Minor(release string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(release, "1."))
	return n
}

// Serves reports whether a release serves a version, by default or if the version is enabled.
func (r Release) Serves(v Version) bool {
	return Minor(v.Since) <= Minor(r.Name) && (v.RemovedIn == "" || Minor(r.Name) < Minor(v.RemovedIn))
}

// ServingReleases returns the names of the releases that serve a version, oldest first.
func (v Version) ServingReleases() (names []string) {
	for _, r := range releases {
		if r.Serves(v) {
			names = append(names, r.Name)
		}
	}
	return names
}
