package api

import (
	"slices"
	"strconv"
	"strings"
)

// Release of Kubernetes: a row of the table of releases.
type Release struct {
	// Name, such as 1.36.
	Name string
	// Provisional names what the rules of a release that is not out yet were read from; empty once
	// it is out and its validator agrees.
	Provisional string
	// UncertainGates are off by default in what a provisional row was read from, and proposed to be on in the release.
	// One that is turned on gets the release in [Field.OpenFrom], and is no longer listed here.
	UncertainGates []string
}

// releases with claims, oldest first.
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

// uncertainGates1_38 are off by default in v1.38.0-beta.0.
var uncertainGates1_38 = []string{
	"DRADerivedAttributes",        // KEP-6080
	"DRAListTypeAttributes",       // KEP-5491: lists of values in expressions and constraints, no field
	"DRAOptionalNodeOperations",   // KEP-5945
	"DRASharedConsumableCapacity", // KEP-5941: fields that beta.0 does not have
}

// Releases are all that claims are known of, oldest first.
func Releases() []Release { return slices.Clone(releases) }

// FindRelease by its name.
func FindRelease(name string) (r Release, known bool) {
	at := slices.IndexFunc(releases, func(r Release) bool { return r.Name == name })
	if at < 0 {
		return Release{}, false
	}
	return releases[at], true
}

// Minor number of a release; 0 for a text that is none.
func Minor(release string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(release, "1."))
	return n
}

// Serves tells whether a release serves a version, or can be asked to.
func (r Release) Serves(v Version) bool {
	return Minor(v.Since) <= Minor(r.Name) && (v.Gone == "" || Minor(r.Name) < Minor(v.Gone))
}

// Served lists the releases that serve a version, oldest first.
func (v Version) Served() (names []string) {
	for _, r := range releases {
		if r.Serves(v) {
			names = append(names, r.Name)
		}
	}
	return names
}
