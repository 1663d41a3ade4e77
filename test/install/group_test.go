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
	c := newCluster(t, "")
	const image = "--image=" + config.DefaultImage
	for name, test := range map[string]struct {
		args      []string
		wantError string // empty: the manifests are written
	}{
		"built-in group": {
			args:      []string{"--group=resource.k8s.io"},
			wantError: "resource.k8s.io: the API server serves v1 of resource.k8s.io itself",
		},
		"only CRDs of the built-in group": {
			args:      []string{"--group=resource.k8s.io", "--only=crds"},
			wantError: "serves v1 of resource.k8s.io itself",
		},
		"only webhooks of the built-in group": {
			args:      []string{"--group=resource.k8s.io", "--only=webhooks"},
			wantError: "serves v1 of resource.k8s.io itself",
		},
		"another built-in group": {
			args:      []string{"--group=storage.k8s.io"},
			wantError: "serves v1 of storage.k8s.io itself",
		},
		"built-in group, user without permission to list API services": {
			args:      []string{"--group=resource.k8s.io", "--as=nobody"},
			wantError: `User "nobody" cannot list resource "apiservices"`,
		},
		"free group of k8s.io, user without permission to list API services": {
			args:      []string{"--group=claims.k8s.io", "--as=nobody"},
			wantError: "cannot list",
		},
		"built-in group, with --force":    {args: []string{"--group=resource.k8s.io", "--force"}},
		"only roles for a built-in group": {args: []string{"--group=resource.k8s.io", "--only=roles"}},
		"group outside k8s.io":            {args: []string{"--group=claims.example.com"}},
		"free group of k8s.io":            {args: []string{"--group=claims.k8s.io"}},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := c.runClaimbridge(t, append([]string{"manifests", image}, test.args...)...)
			if test.wantError == "" {
				if code != 0 || stderr != "" || !strings.Contains(stdout, "kind: ") {
					t.Errorf("got exit code %d and %d bytes, want 0 and manifests:\n%s", code, len(stdout), stderr)
				}
				return
			}
			if code != 1 || stdout != "" {
				t.Errorf("got exit code %d and %d bytes, want 1 and no manifests", code, len(stdout))
			}
			for _, want := range []string{test.wantError, "--group=claims.example.com"} {
				if !strings.Contains(stderr, want) {
					t.Errorf("the error does not contain %q:\n%s", want, stderr)
				}
			}
		})
	}
	t.Run("built-in group with CRDs", func(t *testing.T) { // CRDs of claimbridge do not make the group free
		c.Kubectl(t, must.Get(config.Manifests(config.Options{
			Group: config.DefaultGroup, Only: config.CRDsPart,
		}))(t), "apply", "--server-side", "-f", "-")
		stdout, stderr, code := c.runClaimbridge(t, "manifests", image, "--group=resource.k8s.io")
		if code != 1 || stdout != "" {
			t.Errorf("got exit code %d and %d bytes, want 1 and no manifests:\n%s", code, len(stdout), stderr)
		}
		c.Kubectl(t, nil, "delete", "crd", "resourceclaims.resource.k8s.io", "resourceclaimtemplates.resource.k8s.io")
	})
	t.Run("make deploy", func(t *testing.T) {
		output, err := c.runMake(t, "deploy", "GROUP=resource.k8s.io", "IMG="+config.DefaultImage, "CERTIFICATES=self")
		if err == nil || !strings.Contains(output, "serves v1 of resource.k8s.io itself") {
			t.Errorf("built-in group: got error %v, want it rejected:\n%s", err, output)
		}
		output, err = c.runMake(t, "deploy", "IMG="+config.DefaultImage, "CERTIFICATES=self")
		if err == nil || !strings.Contains(output, "--group is required") {
			t.Errorf("no group: got error %v, want it rejected:\n%s", err, output)
		}
		if output := c.Kubectl(t, nil, "get", "namespaces,crds", "-o", "name"); strings.Contains(output, "claim") {
			t.Errorf("make deploy created objects although it failed:\n%s", output)
		}
	})
	for _, helmVersion := range helmVersions {
		t.Run(helmVersion, func(t *testing.T) { c.checkChartIsRejected(t, newHelm(t, helmVersion)) })
	}
	t.Run("examples of Flux and Argo CD", c.checkGitOpsExamples)
}

// checkChartIsRejected checks that the chart cannot be installed on a cluster that serves its group.
func (c *cluster) checkChartIsRejected(t *testing.T, h helm) {
	h.kubeconfig = c.Shell.Kubeconfig
	for group, want := range map[string]string{
		"resource.k8s.io": "the API server serves v1.resource.k8s.io itself",
		"storage.k8s.io":  "serves v1.storage.k8s.io itself",
	} {
		_, stderr, err := h.try(t.Context(), "install", "mine", "--namespace="+namespace, "--create-namespace",
			chartFolder, "--set=group="+group)
		if err == nil || !strings.Contains(stderr, want) {
			t.Errorf("%s: got error %v, want %q:\n%s", group, err, want, stderr)
		}
	}
}

// checkFreeGroup checks a cluster whose --runtime-config disables resource.k8s.io. The command succeeds without a note,
// because it has checked the cluster.
func (c *cluster) checkFreeGroup(t *testing.T) {
	const image = "--image=" + config.DefaultImage
	stdout, stderr, code := c.runClaimbridge(t, "manifests", image, "--group=resource.k8s.io", "--certificates=self")
	rendered := must.Get(os.ReadFile(filepath.Join("..", "..", "config", "rendered", "self.yaml")))(t)
	if code != 0 || stderr != "" || stdout != string(rendered) {
		t.Errorf("got exit code %d and %d bytes, want 0 and the %d bytes of self.yaml:\n%s", code, len(stdout),
			len(rendered), stderr)
	}
	c.Kubectl(t, []byte(stdout), "apply", "--server-side", "-f", "-") // the group with claimbridge's CRDs counts as free
	if _, stderr, code := c.runClaimbridge(t, "manifests", image, "--group=resource.k8s.io"); code != 0 || stderr != "" {
		t.Errorf("after the CRDs are installed: got exit code %d, want 0 and no note:\n%s", code, stderr)
	}
}
