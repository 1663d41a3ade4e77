package clients

import (
	"context"
	"path/filepath"
	"strings"

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
	"v0.36":      {"v1beta1", "v1beta2", "v1"},
}

// oldest release, whose module file is go.mod. The others have one of their name beside it.
const oldest = "v0.26"

// Program of a release. It is in the user's cache, or built. The folder is that of this package.
func Program(ctx context.Context, folder, release string) (string, error) {
	dir := filepath.Join(folder, "client")
	modfile := release + ".mod"
	if release == oldest {
		modfile = "go.mod"
	}
	sources := []string{modfile, strings.TrimSuffix(modfile, ".mod") + ".sum", filepath.Join(release, "main.go")}
	shared, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, file := range shared {
		sources = append(sources, filepath.Base(file))
	}
	set := programs.Set{
		Name:     "clients/" + release,
		Patience: "building the typed client of " + release + " once, which takes a minute on two cores, and downloads",
		Programs: []programs.Program{{
			Name: release, Dir: dir, Sources: sources,
			Args: []string{"-modfile=" + modfile, "-ldflags", "-s -w", "./" + release}, Env: []string{"CGO_ENABLED=0"},
		}},
	}
	built, err := set.Folder(ctx)
	return filepath.Join(built, programs.File(release)), err
}
