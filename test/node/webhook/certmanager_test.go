//go:build node

package webhook

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// installCertManager installs cert-manager with its Helm chart: controller, cainjector and webhook, built from source.
func (c *cluster) installCertManager(t *testing.T) {
	t.Helper()
	program := programs.Tool(t, programs.CertManager)
	sources := must.Get(programs.Source(t.Context(), filepath.Join("..", "..", "certmanager", "program"),
		"github.com/cert-manager/cert-manager"))(t)
	render := exec.CommandContext(t.Context(), programs.Tool(t, programs.Helm3), "template", "cert-manager",
		filepath.Join(sources, "deploy", "charts", "cert-manager"), "--namespace=cert-manager", "--kube-version=1.36",
		"--set=crds.enabled=true", "--set=startupapicheck.enabled=false", "--set=prometheus.enabled=false",
		"--set=cainjector.replicaCount=0")
	for component, values := range map[string]string{
		"controller": "image", "cainjector": "cainjector.image", "webhook": "webhook.image",
	} {
		name := "kit.local/cert-manager-" + component
		archive := must.Get(image.Build(t.Context(), t.TempDir(), name+":test", program, "--entrypoint=/"+component))(t)
		must.Do(t, c.Load(t.Context(), archive))
		render.Args = append(render.Args, "--set="+values+".repository="+name, "--set="+values+".tag=test")
	}
	chart, err := render.Output()
	if err != nil {
		t.Fatalf("%s: %v", render, err)
	}
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "chart.yaml"), chart, 0o600))
	c.shellIn(t, dir, `kubectl create namespace cert-manager
kubectl label namespace cert-manager pod-security.kubernetes.io/enforce=restricted
kubectl apply --server-side -f chart.yaml
kubectl rollout status deployment -n cert-manager --timeout=3m
kubectl scale deployment -n cert-manager cert-manager-cainjector --replicas=1
kubectl rollout status deployment -n cert-manager --timeout=3m`)
	// The cainjector starts after the webhook's CA exists, because it can miss a Secret that is created while it fills
	// its caches. The webhook is ready before its configurations contain the CA.
	await.True(t, "cert-manager accepts an Issuer", func() bool {
		_, err := c.runShell(t.Context(), dir, `kubectl apply --server-side --dry-run=server -f - <<EOF
{"apiVersion": "cert-manager.io/v1", "kind": "Issuer",
 "metadata": {"name": "any", "namespace": "default"}, "spec": {"selfSigned": {}}}
EOF`)
		return err == nil
	})
}
