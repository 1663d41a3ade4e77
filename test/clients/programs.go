package clients

import (
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// Releases of client-go, by the version of claims that each was the last to have.
var Releases = map[string]string{"v1alpha1": "v0.26", "v1alpha2": "v0.30", "v1alpha3": "v0.31"}

// Unstructured is the release whose v1alpha2 has no structured handles yet, as those of 1.27 to 1.29.
const Unstructured = "v0.28"

// Set of the programs, named as the releases. The folder is that of this package.
func Set(folder string) (programs.Set, error) {
	set := programs.Set{Name: "clients", Patience: "building typed clients of four releases once, which takes about four minutes, and downloads"}
	shared, err := filepath.Glob(filepath.Join(folder, "client", "*"))
	if err != nil {
		return set, err
	}
	sources := []string{"go.mod", "go.sum", "main.go"}
	for _, file := range shared {
		sources = append(sources, filepath.Join("..", "client", filepath.Base(file)))
	}
	for _, release := range []string{"v0.26", Unstructured, "v0.30", "v0.31"} {
		set.Programs = append(set.Programs, programs.Program{
			Name: release, Dir: filepath.Join(folder, release), Sources: sources, Args: []string{"-ldflags", "-s -w", "."}, Env: []string{"CGO_ENABLED=0"},
		})
	}
	return set, nil
}
