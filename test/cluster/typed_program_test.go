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

// operation of a typed client.
type operation = clients.Operation

// typedClient is a running program with the client-go of a release, used with one of its versions. reason is that of
// the last rejected request.
type typedClient struct {
	release, namespace string
	version            string
	reason             metav1.StatusReason
	send               func(operation) clients.Result
}

// typedClients starts a client for each version, with the release in clients.Releases. They run until the test ends.
func (s space) typedClients(t *testing.T) map[string]*typedClient {
	t.Helper()
	clientsByVersion := map[string]*typedClient{}
	for version, release := range clients.Releases {
		clientsByVersion[version] = s.typedClient(t, release, version)
	}
	return clientsByVersion
}

// typedClient starts a client of a release for one of its versions. It runs until the test ends, and sends JSON by
// default.
func (s space) typedClient(t *testing.T, release, version string, contentType ...string) *typedClient {
	t.Helper()
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	must.Do(t, os.WriteFile(kubeconfig, s.kubeconfig(t), 0o600))
	send := clients.Start(t, release, append([]string{kubeconfig}, contentType...)...)
	return &typedClient{release: release, namespace: s.namespace, version: version, send: send}
}

// try runs an operation. It returns the object that the typed client has, or the error of the API server.
func (c *typedClient) try(t testing.TB, op operation) (o *object, message string) {
	t.Helper()
	if op["kind"] == nil {
		op["kind"] = claimKind
	}
	op["namespace"], op["version"] = c.namespace, c.version
	result := c.send(op)
	c.reason = metav1.StatusReason(result.Reason)
	return &unstructured.Unstructured{Object: result.Object}, result.Error
}

// run runs an operation that must succeed.
func (c *typedClient) run(t testing.TB, op operation) *object {
	t.Helper()
	o, message := c.try(t, op)
	if message != "" {
		t.Fatalf("client %s of %s cannot %v %v: %s", c.release, c.version, op["do"], op["name"], message)
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

// TestTypedClientsThatWriteProtobuf checks the documented error of protobuf requests. Since 1.32, typed clients of
// Kubernetes' groups write protobuf by default, and an API server closes the connection if it gets protobuf for a
// custom resource. docs/crd-differences.md has the remedy. Requests with JSON work.
func TestTypedClientsThatWriteProtobuf(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := withoutBuiltIn.space(t)
	for release, version := range map[string]string{"v0.32": "v1beta1", "v0.36": "v1"} {
		name := "of-" + version
		o := s.typicalObject(t, version, claimKind, name)
		c := s.typedClient(t, release, version, "application/vnd.kubernetes.protobuf")
		if _, message := c.try(t, operation{"do": "create", "object": o}); !strings.Contains(message, "INTERNAL_ERROR") {
			t.Errorf("%s creates: %q", release, message)
		}
		s.typedClient(t, release, version).run(t, operation{"do": "create", "object": o})
		for _, verb := range []string{"update", "updateStatus"} {
			_, message := c.try(t, operation{"do": verb, "name": name})
			if !strings.Contains(message, "INTERNAL_ERROR") {
				t.Errorf("%s %s: %q", release, verb, message)
			}
		}
		c.run(t, operation{"do": "list"})
		c.run(t, operation{
			"do":        "patch",
			"name":      name,
			"patchType": "application/merge-patch+json",
			"patch":     labels("by", release),
		})
		c.run(t, operation{"do": "delete", "name": name})
	}
}
