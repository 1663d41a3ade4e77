package clients

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Releases maps a version to the release of client-go that has exactly its fields. The version is validated with the
// rules of this release.
var Releases = func() map[string]string {
	releases := map[string]string{}
	for _, v := range api.Versions() {
		releases[v.Name] = "v0." + strings.TrimPrefix(v.Release, "1.")
	}
	return releases
}()

// WithoutStructuredData is a release whose v1alpha2 has no structured handles, like 1.27 to 1.29.
const WithoutStructuredData = "v0.28"

// SupportedVersions maps a release to the versions of its client, the oldest first. Clients of older releases drop the
// fields of a version that they do not have.
var SupportedVersions = func() map[string][]string {
	supported := map[string][]string{}
	for _, release := range []string{"v0.26", WithoutStructuredData, "v0.30", "v0.31", "v0.32", "v0.33", "v0.36"} {
		for _, v := range api.Versions() {
			if slices.Contains(v.ServingReleases(), "1."+strings.TrimPrefix(release, "v0.")) {
				supported[release] = append(supported[release], v.Name)
			}
		}
	}
	return supported
}()

// Modfile returns the module file of a release. That of the oldest release is go.mod.
func Modfile(release string) string {
	if release == "v0.26" {
		return "go.mod"
	}
	return release + ".mod"
}

// Program returns the path of the client of a release. It builds the client if it is not in the user's cache.
func Program(t testing.TB, release string) string {
	t.Helper()
	dir := filepath.Join(programs.Root(), "test", "clients", "client")
	modfile := Modfile(release)
	sources := []string{
		modfile,
		strings.TrimSuffix(modfile, ".mod") + ".sum",
		"change.go",
		"kind.go",
		"main.go",
		"watch.go",
	}
	for _, version := range SupportedVersions[release] {
		sources = append(sources, version+".go")
	}
	folder := must.Get(programs.Set{
		Name:   "clients/" + release,
		Notice: "building the typed client of " + release + " once, which takes a minute on two cores, and downloads",
		Programs: []programs.Program{{
			Name: release, Dir: dir, Sources: sources,
			Args: []string{
				"-modfile=" + modfile,
				"-tags=" + strings.Join(SupportedVersions[release], ","),
				"-ldflags",
				"-s -w",
				".",
			},
			Env: []string{"CGO_ENABLED=0"},
		}},
	}.Folder(t.Context()))(t)
	return filepath.Join(folder, release)
}
