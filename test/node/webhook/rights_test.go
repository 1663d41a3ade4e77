//go:build node

package webhook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// preflightInPod runs the documented Job with the documented rights, and deletes both.
func (c *cluster) preflightInPod(t *testing.T) {
	t.Helper()
	blocks := section(t, "preflight.md", "Permissions")
	if len(blocks) != 1 {
		t.Fatalf("the page has %d blocks of permissions; this test knows one", len(blocks))
	}
	rights := strings.ReplaceAll(blocks[0], "resource.k8s.io]", group+"]")
	rights = strings.ReplaceAll(strings.ReplaceAll(rights, "claims.resource.k8s.io", "claims."+group),
		"templates.resource.k8s.io", "templates."+group)
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "rights.yaml"), []byte(rights), 0o600))
	c.shellIn(t, dir, "kubectl apply -f rights.yaml")
	steps := section(t, "preflight.md", "In a pod")
	if len(steps) != 3 {
		t.Fatalf("the page has %d blocks of commands; this test knows three: bindings, Job, log", len(steps))
	}
	for _, step := range steps[:2] {
		c.shellIn(t, dir, variables(t)+step)
	}
	output := c.shellIn(t, dir, variables(t)+steps[2])
	if !strings.Contains(output, "checks)") {
		t.Errorf("preflight in a pod: %s", output)
	}
	t.Logf("in a pod: %s", output)
	c.shellIn(t, dir, `kubectl delete -f rights.yaml
kubectl delete job claimbridge-preflight
kubectl delete serviceaccount claimbridge-preflight
kubectl delete clusterrolebinding claimbridge-preflight-reader claimbridge-preflight-claims
kubectl delete rolebinding -n claimbridge-system claimbridge-preflight-reader`)
}

// expectRights checks that the server's service account has the rights that it needs, and none that would help an
// attacker with its token. The rights in the manifests are in config/rendered.
func (c *cluster) expectRights(t *testing.T) {
	t.Helper()
	for answer, rights := range map[string][]string{
		"yes": {
			"get secrets/claimbridge-ca",
			"update secrets/claimbridge-ca",
			"patch customresourcedefinitions/resourceclaims." + group,
			"patch validatingwebhookconfigurations/claimbridge",
			"patch mutatingwebhookconfigurations/claimbridge",
			"create tokenreviews",
			"create subjectaccessreviews",
		},
		"no": {
			"list secrets",
			"create pods",
			"list resourceclaims." + group,
			"update customresourcedefinitions",
			"patch customresourcedefinitions/another",
			"patch validatingwebhookconfigurations/another",
			"get secrets/another",
			"create secrets",
			"delete customresourcedefinitions/resourceclaims." + group,
		},
	} {
		for _, right := range rights {
			verb, what, _ := strings.Cut(right, " ")
			output, err := c.runShell(t.Context(), t.TempDir(),
				fmt.Sprintf("kubectl auth can-i %s %s -n %s --as=system:serviceaccount:%[3]s:claimbridge", verb, what,
					namespace))
			if (err == nil) != (answer == "yes") || !strings.Contains(output, answer) {
				t.Errorf("may the service account %s: got %s, %v, want %s", right, output, err, answer)
			}
		}
	}
}
