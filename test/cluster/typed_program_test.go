//go:build e2e

package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/test/clients"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// question is an operation of a typed client.
type question = clients.Question

// typedClient is a running program with the client-go of a release, used with one of its versions. The reason is that
// of the last rejected request.
type typedClient struct {
	release, namespace string
	version            string
	reason             metav1.StatusReason
	answer             func(question) clients.Answer
}

// typedClients starts clients of all versions, each of the release in clients.Releases, until the test ends.
func (s space) typedClients(t *testing.T) map[string]*typedClient {
	t.Helper()
	started := map[string]*typedClient{}
	for version, release := range clients.Releases {
		started[version] = s.typedClient(t, release, version)
	}
	return started
}

// typedClient starts a client of a release with one of its versions, until the test ends. It sends JSON by default.
func (s space) typedClient(t *testing.T, release, version string, contentType ...string) *typedClient {
	t.Helper()
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	must.Do(t, os.WriteFile(kubeconfig, s.kubeconfig(t), 0o600))
	answer := clients.Start(t, release, append([]string{kubeconfig}, contentType...)...)
	return &typedClient{release: release, namespace: s.namespace, version: version, answer: answer}
}

// try runs an operation. It returns the object that the typed client has, or the error of the API server.
func (c *typedClient) try(t testing.TB, q question) (o *object, refusal string) {
	t.Helper()
	if q["kind"] == nil {
		q["kind"] = claimKind
	}
	q["namespace"], q["version"] = c.namespace, c.version
	answer := c.answer(q)
	c.reason = metav1.StatusReason(answer.Reason)
	return &unstructured.Unstructured{Object: answer.Object}, answer.Error
}

// ask runs an operation that must succeed.
func (c *typedClient) ask(t testing.TB, q question) *object {
	t.Helper()
	o, refusal := c.try(t, q)
	if refusal != "" {
		t.Fatalf("client %s of %s cannot %v %v: %s", c.release, c.version, q["do"], q["name"], refusal)
	}
	return o
}

// needsTypedClients skips a test in short mode, because it builds programs of eight releases.
func needsTypedClients(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: typed clients of eight releases take minutes to build")
	}
}

// Since 1.32, typed clients of Kubernetes' own groups write protobuf by default, and an API server closes the
// connection if it gets protobuf for a custom resource. docs/crd-differences.md has the remedy. Requests with JSON
// work.
func TestTypedClientsThatWriteProtobuf(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	for release, version := range map[string]string{"v0.32": "v1beta1", "v0.36": "v1"} {
		name := "of-" + version
		o := s.typical(t, version, claimKind, name)
		c := s.typedClient(t, release, version, "application/vnd.kubernetes.protobuf")
		if _, refusal := c.try(t, question{"do": "create", "object": o}); !strings.Contains(refusal, "INTERNAL_ERROR") {
			t.Errorf("%s creates: %q", release, refusal)
		}
		s.typedClient(t, release, version).ask(t, question{"do": "create", "object": o})
		for _, verb := range []string{"update", "updateStatus"} {
			_, refusal := c.try(t, question{"do": verb, "name": name})
			if !strings.Contains(refusal, "INTERNAL_ERROR") {
				t.Errorf("%s %s: %q", release, verb, refusal)
			}
		}
		c.ask(t, question{"do": "list"})
		c.ask(t, question{
			"do":        "patch",
			"name":      name,
			"patchType": "application/merge-patch+json",
			"patch":     labels("by", release),
		})
		c.ask(t, question{"do": "delete", "name": name})
	}
}
