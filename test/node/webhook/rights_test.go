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

// preflightInside runs the Job of the page on preflight, with the rights that the page gives, and takes both away.
func (c *cluster) preflightInside(t *testing.T) {
	t.Helper()
	blocks := chapter(t, "preflight.md", "Permissions")
	if len(blocks) != 1 {
		t.Fatalf("the page has %d blocks of rights; this test knows one", len(blocks))
	}
	rights := strings.ReplaceAll(blocks[0], "resource.k8s.io]", group+"]")
	rights = strings.ReplaceAll(strings.ReplaceAll(rights, "claims.resource.k8s.io", "claims."+group),
		"templates.resource.k8s.io", "templates."+group)
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

// expectRights: the account of the server may do what it is for, and none of what one would like to
// who has its token. What the manifests give it stands in config/rendered, for who reads a change.
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
			said, err := c.try(t.Context(), t.TempDir(),
				fmt.Sprintf("kubectl auth can-i %s %s -n %s --as=system:serviceaccount:%[3]s:claimbridge", verb, what,
					namespace))
			if (err == nil) != (answer == "yes") || !strings.Contains(said, answer) {
				t.Errorf("may the account %s? %s, %v", right, said, err)
			}
		}
	}
}
