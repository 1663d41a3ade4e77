//go:build e2e

package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/test/clients"
)

// question to a typed client, see test/clients/client.
type question map[string]any

// typedClient is a running program with the client-go of a release, asked in one of the versions that it speaks. The reason is
// that of the last refusal.
type typedClient struct {
	release, namespace string
	version            string
	reason             metav1.StatusReason
	questions          *json.Encoder
	answers            *bufio.Reader
}

// typedClients of all versions, each of the release in clients.Releases, until the test ends.
func (s space) typedClients(t *testing.T) map[string]*typedClient {
	t.Helper()
	started := map[string]*typedClient{}
	for version, release := range clients.Releases {
		started[version] = s.typedClient(t, release, version)
	}
	return started
}

// typedClient of a release and a version that it speaks, until the test ends. It writes JSON, unless a content type is given.
func (s space) typedClient(t *testing.T, release, version string, contentType ...string) *typedClient {
	t.Helper()
	program := clients.Program(t, release)
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, s.kubeconfig(t), 0o600); err != nil {
		t.Fatal(err)
	}
	c := s.startClient(t, release, program, append([]string{kubeconfig}, contentType...)...)
	c.version = version
	return c
}

func (s space) startClient(t *testing.T, release, program string, args ...string) *typedClient {
	t.Helper()
	command := exec.CommandContext(context.Background(), program, args...) // ends with its input
	command.Stderr = io.Discard                                            // warnings of deprecated versions
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("client %s: %v", release, err)
		}
	})
	return &typedClient{release: release, namespace: s.namespace, questions: json.NewEncoder(in), answers: bufio.NewReader(out)}
}

// try a question. The object is as the typed client has it; the error is the API server's.
func (c *typedClient) try(t testing.TB, q question) (o *object, refusal string) {
	t.Helper()
	if q["kind"] == nil {
		q["kind"] = claimKind
	}
	q["namespace"], q["version"] = c.namespace, c.version
	if err := c.questions.Encode(q); err != nil {
		t.Fatalf("client %s: %v", c.release, err)
	}
	line, err := c.answers.ReadBytes('\n')
	if err != nil {
		t.Fatalf("client %s: %v", c.release, err)
	}
	var answer struct {
		Object map[string]any
		Error  string
		Reason metav1.StatusReason
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatalf("client %s: %v: %s", c.release, err, line)
	}
	c.reason = answer.Reason
	return &unstructured.Unstructured{Object: answer.Object}, answer.Error
}

// ask a question that must be answered.
func (c *typedClient) ask(t testing.TB, q question) *object {
	t.Helper()
	o, refusal := c.try(t, q)
	if refusal != "" {
		t.Fatalf("client %s of %s cannot %v %v: %s", c.release, c.version, q["do"], q["name"], refusal)
	}
	return o
}

// needsTypedClients skips a test that takes programs of eight releases, where there is no time to build them.
func needsTypedClients(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: typed clients of eight releases take minutes to build")
	}
}
