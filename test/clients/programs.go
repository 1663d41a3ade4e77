package clients

import (
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// Releases of client-go, by the version of claims whose fields each has and no more: the last release of an alpha version that
// had controllers, and for the others the last release here.
var Releases = map[string]string{
	"v1alpha1": "v0.26", "v1alpha2": "v0.30", "v1alpha3": "v0.31", "v1beta1": "v0.36", "v1beta2": "v0.36", "v1": "v0.36",
}

// Unstructured is the release whose v1alpha2 has no structured handles yet, as those of 1.27 to 1.29.
const Unstructured = "v0.28"

// Speaks says which versions of claims the client of a release speaks, oldest first. Those of older releases do not know every
// field of a version: what they do not know they drop.
var Speaks = map[string][]string{
	"v0.26":      {"v1alpha1"},
	Unstructured: {"v1alpha2"},
	"v0.30":      {"v1alpha2"},
	"v0.31":      {"v1alpha3"},
	"v0.32":      {"v1alpha3", "v1beta1"},
	"v0.33":      {"v1alpha3", "v1beta1", "v1beta2"},
	"v0.34":      {"v1beta1", "v1beta2", "v1"},
	"v0.36":      {"v1beta1", "v1beta2", "v1"},
}

// all releases, in the order in which they are built.
var all = []string{"v0.26", Unstructured, "v0.30", "v0.31", "v0.32", "v0.33", "v0.34", "v0.36"}

// Set of the programs, named as the releases. The folder is that of this package.
func Set(folder string) (programs.Set, error) {
	set := programs.Set{Name: "clients", Patience: "building typed clients of eight releases once, which takes some ten minutes, and downloads"}
	shared, err := filepath.Glob(filepath.Join(folder, "client", "*"))
	if err != nil {
		return set, err
	}
	sources := []string{"go.mod", "go.sum", "main.go"}
	for _, file := range shared {
		sources = append(sources, filepath.Join("..", "client", filepath.Base(file)))
	}
	for _, release := range all {
		set.Programs = append(set.Programs, programs.Program{
			Name: release, Dir: filepath.Join(folder, release), Sources: sources, Args: []string{"-ldflags", "-s -w", "."}, Env: []string{"CGO_ENABLED=0"},
		})
	}
	return set, nil
}
