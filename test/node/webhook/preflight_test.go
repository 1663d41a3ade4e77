//go:build node

package webhook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// preflightInside runs the Job of the page on preflight, with the rights that the page gives, and takes both away.
func (c *cluster) preflightInside(t *testing.T) {
	t.Helper()
	blocks := chapter(t, "preflight.md", "Rights")
	if len(blocks) != 1 {
		t.Fatalf("the page has %d blocks of rights; this test knows one", len(blocks))
	}
	rights := strings.ReplaceAll(blocks[0], "resource.k8s.io]", group+"]")
	rights = strings.ReplaceAll(strings.ReplaceAll(rights, "claims.resource.k8s.io", "claims."+group), "templates.resource.k8s.io", "templates."+group)
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "rights.yaml"), []byte(rights), 0o600))
	c.shellIn(t, folder, "kubectl apply -f rights.yaml")
	steps := chapter(t, "preflight.md", "In a pod")
	if len(steps) != 3 {
		t.Fatalf("the page has %d blocks of commands; this test knows three: bindings, Job, log", len(steps))
	}
	for _, step := range steps[:2] {
		c.shellIn(t, folder, variables(t)+step)
	}
	said := c.shellIn(t, folder, variables(t)+steps[2])
	if !strings.Contains(said, "checks)") {
		t.Errorf("preflight in a pod: %s", said)
	}
	t.Logf("in a pod: %s", said)
	c.shellIn(t, folder, `kubectl delete -f rights.yaml
kubectl delete job claimbridge-preflight
kubectl delete serviceaccount claimbridge-preflight
kubectl delete clusterrolebinding claimbridge-preflight-reader claimbridge-preflight-claims
kubectl delete rolebinding -n claimbridge-system claimbridge-preflight-reader`)
}
