package plane

import (
	"context"
	"os"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

// Apply applies manifests with kubectl, as a member of system:masters.
func (p *Plane) Apply(ctx context.Context, manifests string) error {
	administrator := shell.Shell{Home: p.folder, Kubeconfig: filepath.Join(p.folder, "kubeconfig"), Path: shell.Path()}
	if err := os.WriteFile(administrator.Kubeconfig, p.environment.KubeConfig, 0o600); err != nil {
		return err
	}
	_, err := administrator.TryKubectl(ctx, []byte(manifests), "apply", "--server-side", "--validate=false", "-f", "-")
	return err
}
