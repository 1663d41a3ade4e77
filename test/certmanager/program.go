package certmanager

import (
	"context"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// Program that is cert-manager: controller and cainjector when it is called with a kubeconfig, and in a pod one of controller,
// cainjector and webhook, as its file is called. It is in the user's cache, or built. The folder is that of this package.
func Program(ctx context.Context, folder string) (string, error) {
	const name = "certmanager"
	set := programs.Set{
		Name: name, Patience: "building cert-manager once, which takes about three minutes on two cores, and downloads",
		Programs: []programs.Program{{
			Name: name, Dir: filepath.Join(folder, "program"), Sources: []string{"go.mod", "go.sum", "main.go", "controller.go", "cainjector.go", "webhook.go"},
			Args: []string{"-trimpath", "-ldflags", "-s -w", "."}, Env: []string{"CGO_ENABLED=0"},
		}},
	}
	built, err := set.Folder(ctx)
	return filepath.Join(built, programs.File(name)), err
}
