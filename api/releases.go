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
	// it is out and its judge agrees.
	Provisional string
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
	{Name: "1.38", Provisional: "v0.38.0-alpha.2 of its modules"},
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
