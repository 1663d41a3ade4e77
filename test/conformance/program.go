package conformance

import (
	"context"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// Program that is called with a kubeconfig and the resources to check, each as VERSION/RESOURCE. It is in the user's cache, or built.
// The folder is that of this package.
func Program(ctx context.Context, folder string) (string, error) {
	const name = "conformance"
	module := filepath.Join(folder, "..", "controlplane", "kubernetes")
	sources := []string{"go.mod", "go.sum"}
	for _, file := range []string{"main.go", "patch.go", "resource.go"} {
		sources = append(sources, filepath.Join("conformance", file))
	}
	set := programs.Set{
		Name: name, Patience: "building Kubernetes' conformance check once, which takes a minute where a control plane was built before, else some five, and downloads",
		Programs: []programs.Program{{
			Name: name, Dir: module, Sources: sources,
			Args: []string{"-trimpath", "-ldflags", "-s -w", "./conformance"}, Env: []string{"CGO_ENABLED=0"},
		}},
	}
	built, err := set.Folder(ctx)
	return filepath.Join(built, programs.File(name)), err
}
