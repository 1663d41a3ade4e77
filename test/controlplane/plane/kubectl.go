package plane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/programs"
)

// Apply manifests as a member of system:masters, with kubectl.
func (p *Plane) Apply(ctx context.Context, manifests string) error {
	kubeconfig := filepath.Join(p.folder, "kubeconfig")
	if err := os.WriteFile(kubeconfig, p.environment.KubeConfig, 0o600); err != nil {
		return err
	}
	kubectl := filepath.Join(os.Getenv(controlplane.EnvAssets), programs.File("kubectl"))
	apply := exec.CommandContext(ctx, kubectl, "--kubeconfig="+kubeconfig, "--cache-dir="+filepath.Join(p.folder, "cache"),
		"apply", "--server-side", "--validate=false", "-f", "-")
	apply.Stdin = strings.NewReader(manifests)
	if output, err := apply.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}
