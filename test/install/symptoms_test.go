//go:build e2e

package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// symptoms that users see before and beside any webhook stand in docs/troubleshooting.md, as kubectl prints them.
func (i *installation) symptoms(t *testing.T) {
	c, group := i.cluster, i.group
	claim := func(group, name, spec string) string {
		return fmt.Sprintf("{apiVersion: %s/v1alpha3, kind: ResourceClaim, metadata: {name: %s, namespace: default}, spec: %s}", group, name, spec)
	}
	const requests = "{devices: {requests: [{name: gpu, deviceClassName: %s, allocationMode: ExactCount, count: 1}]}}"
	good := claim(group, "a", fmt.Sprintf(requests, "gpu.example.com"))
	c.Kubectl(t, []byte(good), "create", "-f", "-")
	defer c.Kubectl(t, nil, "delete", "resourceclaims.v1alpha3."+group, "a", "-n", "default")
	for name, command := range map[string]struct {
		stdin string
		args  []string
	}{
		"a field that there is not":       {claim(group, "b", "{resourceClassName: gpu.example.com}"), []string{"create", "-f", "-"}},
		"a change of what is immutable":   {claim(group, "a", fmt.Sprintf(requests, "other.example.com")), []string{"replace", "-f", "-"}},
		"a kind that is not there":        {claim("absent.example.com", "b", "{}"), []string{"create", "-f", "-"}},
		"more than an API server takes":   {strings.Replace(good, "name: a,", "name: b, annotations: {a: "+strings.Repeat("a", 4<<20)+"},", 1), []string{"create", "-f", "-"}},
		"a field that somebody else owns": {strings.Replace(good, "gpu.example.com", "other.example.com", 1), []string{"apply", "--server-side", "-f", "-"}},
	} {
		output, err := c.TryKubectl(t.Context(), []byte(command.stdin), command.args...)
		if err == nil {
			t.Errorf("%s is accepted: %s", name, output)
		}
		if first, rest, _ := strings.Cut(output, "\n"); strings.HasPrefix(first, "Warning: v1alpha3 is the API of ") {
			output = rest
		}
		onThePage(t, name, strings.NewReplacer(group, "claims.example.com", "absent.example.com", "claims.example.com").Replace(output))
	}
}

// withoutCertManager applies what needs it.
func (c *cluster) withoutCertManager(t *testing.T) {
	c.Kubectl(t, nil, "delete", "crd", "certificates.cert-manager.io", "issuers.cert-manager.io")
	stream := must.Get(config.Manifests(config.Options{Group: "claims.example.com", Only: config.ServerPart}))(t)
	var missing string
	await.NoError(t, "the API server tells of definitions for a moment after they are gone", func() error {
		// All of it is asked of a server that has heard of nothing before.
		output, err := c.TryKubectl(t.Context(), stream, "apply", "--server-side", "-f", "-", "--cache-dir="+t.TempDir())
		if _, missing, _ = strings.Cut(output, "resource mapping not found"); missing == "" {
			return errors.Join(errors.New("it is applied, or refused for something else: "+output), err)
		}
		return nil
	})
	onThePage(t, "no cert-manager", "resource mapping not found"+missing)
	c.Kubectl(t, stream, "delete", "--wait=false", "--ignore-not-found", "-l", "app.kubernetes.io/name=claimbridge", "namespace,clusterrole,clusterrolebinding")
}

// onThePage wants the first line of what kubectl prints in the documentation. What follows it is advice of kubectl's.
func onThePage(t *testing.T, name, output string) {
	t.Helper()
	page := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", "troubleshooting.md")))(t)
	if line, _, _ := strings.Cut(output, "\n"); line == "" || !strings.Contains(string(page), line) {
		t.Errorf("%s: docs/troubleshooting.md lacks what users see:\n%s", name, line)
	}
}
