//go:build e2e

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A current API server serves resource.k8s.io itself. `claimbridge manifests` must not write manifests that would break
// it.
func TestBuiltInGroup(t *testing.T) {
	t.Parallel()
	c := start(t, "")
	const image = "--image=" + config.DefaultImage
	for name, test := range map[string]struct {
		args    []string
		refused string // why; empty: it is written
	}{
		"the group in the tree": {
			args:    []string{"--group=resource.k8s.io"},
			refused: "resource.k8s.io: the API server serves v1 of resource.k8s.io itself",
		},
		"its definitions alone": {
			args:    []string{"--group=resource.k8s.io", "--only=crds"},
			refused: "serves v1 of resource.k8s.io itself",
		},
		"its webhooks alone": {
			args:    []string{"--group=resource.k8s.io", "--only=webhooks"},
			refused: "serves v1 of resource.k8s.io itself",
		},
		"another group in the tree": {
			args:    []string{"--group=storage.k8s.io"},
			refused: "serves v1 of storage.k8s.io itself",
		},
		"a user without permission to look": {
			args:    []string{"--group=resource.k8s.io", "--as=nobody"},
			refused: `User "nobody" cannot list resource "apiservices"`,
		},
		"the group in the tree, force": {args: []string{"--group=resource.k8s.io", "--force"}},
		"a part that does no harm":     {args: []string{"--group=resource.k8s.io", "--only=roles"}},
		"a group of one's own":         {args: []string{"--group=claims.example.com"}},
		"a free group of k8s.io, and a user without permission to look": {
			args:    []string{"--group=claims.k8s.io", "--as=nobody"},
			refused: "cannot list",
		},
		"a group of k8s.io that is free": {
			args: []string{"--group=claims.k8s.io"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := c.program(t, append([]string{"manifests", image}, test.args...)...)
			switch {
			case test.refused == "" && (code != 0 || stderr != "" || !strings.Contains(stdout, "kind: ")):
				t.Errorf("exit code %d:\n%s", code, stderr)
			case test.refused != "" && (code != 1 || stdout != "" || !strings.Contains(stderr, test.refused) ||
				!strings.Contains(stderr, "--group=claims.example.com")):
				t.Errorf("want it rejected, and nothing written, got exit code %d and %d bytes:\n%s", code, len(stdout),
					stderr)
			}
		})
	}
	t.Run("definitions that are there already", func(t *testing.T) { // they do not make the group free
		c.Kubectl(t, must.Get(config.Manifests(config.Options{
			Group: config.DefaultGroup, Only: config.CRDsPart,
		}))(t), "apply", "--server-side", "-f", "-")
		stdout, stderr, code := c.program(t, "manifests", image, "--group=resource.k8s.io")
		if code != 1 || stdout != "" {
			t.Errorf("exit code %d, %s", code, stderr)
		}
		c.Kubectl(t, nil, "delete", "crd", "resourceclaims.resource.k8s.io", "resourceclaimtemplates.resource.k8s.io")
	})
	t.Run("make deploy", func(t *testing.T) {
		output, err := c.make(t, "deploy", "GROUP=resource.k8s.io", "IMG="+config.DefaultImage, "CERTIFICATES=self")
		if err == nil || !strings.Contains(output, "serves v1 of resource.k8s.io itself") {
			t.Errorf("want it rejected, got %v\n%s", err, output)
		}
		output, err = c.make(t, "deploy", "IMG="+config.DefaultImage, "CERTIFICATES=self")
		if err == nil || !strings.Contains(output, "--group is required") {
			t.Errorf("without a group: want it rejected, got %v\n%s", err, output)
		}
		if output := c.Kubectl(t, nil, "get", "namespaces,crds", "-o", "name"); strings.Contains(output, "claim") {
			t.Errorf("something was installed:\n%s", output)
		}
	})
	for _, release := range releases {
		t.Run(release, func(t *testing.T) { c.chartIsRejected(t, newHelm(t, release)) })
	}
	t.Run("examples of Flux and Argo CD", c.examplesOfGitOps)
}

// chartIsRejected checks that the chart is rejected on a cluster that serves its group.
func (c *cluster) chartIsRejected(t *testing.T, h helm) {
	h.kubeconfig = c.Shell.Kubeconfig
	for group, want := range map[string]string{
		"resource.k8s.io": "the API server serves v1.resource.k8s.io itself",
		"storage.k8s.io":  "serves v1.storage.k8s.io itself",
	} {
		_, stderr, err := h.try(t.Context(), "install", "mine", "--namespace="+namespace, "--create-namespace",
			chartFolder, "--set=group="+group)
		if err == nil || !strings.Contains(stderr, want) {
			t.Errorf("%s: %v\n%s", group, err, stderr)
		}
	}
}

// If the group is free, through --runtime-config, the command succeeds without a note, because it checked the cluster.
func (c *cluster) groupIsFree(t *testing.T) {
	const image = "--image=" + config.DefaultImage
	stdout, stderr, code := c.program(t, "manifests", image, "--group=resource.k8s.io", "--certificates=self")
	rendered := must.Get(os.ReadFile(filepath.Join("..", "..", "config", "rendered", "self.yaml")))(t)
	if code != 0 || stderr != "" || stdout != string(rendered) {
		t.Errorf("exit code %d, %d bytes:\n%s", code, len(stdout), stderr)
	}
	c.Kubectl(t, []byte(stdout), "apply", "--server-side", "-f", "-") // CRDs of claimbridge do not make it less free
	if _, stderr, code := c.program(t, "manifests", image, "--group=resource.k8s.io"); code != 0 || stderr != "" {
		t.Errorf("a second time: exit code %d\n%s", code, stderr)
	}
}
