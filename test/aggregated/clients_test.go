//go:build e2e

package aggregated

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/test/clients"
)

// typed are the releases of client-go that are tried, the version in which each speaks, and the media type that it writes.
var typed = []struct{ release, version, content string }{
	{"v0.26", "v1alpha1", "application/json"},
	{clients.Unstructured, "v1alpha2", "application/json"},
	{"v0.30", "v1alpha2", "application/json"},
	{"v0.31", "v1alpha3", "application/json"},
	{"v0.32", "v1alpha3", "application/json"},
	{"v0.32", "v1beta1", "application/json"},
	{"v0.32", "v1beta1", "application/vnd.kubernetes.protobuf"},
	{"v0.33", "v1beta1", "application/vnd.kubernetes.protobuf"},
	{"v0.33", "v1beta2", "application/json"},
	{"v0.33", "v1beta2", "application/vnd.kubernetes.protobuf"},
	{"v0.36", "v1beta1", "application/vnd.kubernetes.protobuf"},
}

// The typed clients and informers of the releases work on claims of a cluster of today, and a client of v1 sees at once what they do.
func TestTypedClients(t *testing.T) {
	for _, c := range typed {
		t.Run(c.release+" "+c.version+" "+strings.TrimPrefix(c.content, "application/"), func(t *testing.T) {
			t.Parallel()
			namespace, v1 := ours.space(t)
			api := resource(v1, "v1", namespace)
			client := startClient(t, c.release, c.version, namespace, c.content)
			client.ask(t, question{"do": "watch"})
			object := map[string]any{"metadata": map[string]any{"name": "a"}, "spec": specs[c.version]}
			created := client.ask(t, question{"do": "create", "object": object})
			client.ask(t, question{"do": "seen", "name": "a", "resourceVersion": created.GetResourceVersion()})
			stored, err := api.Get(t.Context(), "a", metav1.GetOptions{})
			if err != nil || stored.GetResourceVersion() != created.GetResourceVersion() || stored.GetUID() != created.GetUID() {
				t.Fatalf("%v: v1 has %v, the client %v", err, stored, created)
			}

			updated := client.ask(t, question{"do": "update", "name": "a", "merge": map[string]any{"metadata": map[string]any{"labels": map[string]string{"l": "1"}}}})
			client.ask(t, question{"do": "seen", "name": "a", "resourceVersion": updated.GetResourceVersion()})
			client.ask(t, question{"do": "updateStatus", "name": "a", "merge": allocations[c.version]})
			client.ask(t, question{"do": "patch", "name": "a", "patchType": mergePatch, "patch": map[string]any{"metadata": map[string]any{"labels": map[string]string{"m": "1"}}}})
			patched := client.ask(t, question{"do": "patch", "name": "a", "patchType": strategic, "patch": map[string]any{"metadata": map[string]any{"labels": map[string]string{"s": "1"}}}})
			client.ask(t, question{"do": "seen", "name": "a", "resourceVersion": patched.GetResourceVersion()})
			stored, err = api.Get(t.Context(), "a", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if _, allocated, _ := unstructured.NestedMap(stored.Object, "status", "allocation"); !allocated || len(stored.GetLabels()) != 3 {
				t.Errorf("v1 has labels %v and status %v", stored.GetLabels(), stored.Object["status"])
			}
			// What a v1 client does is what the informer of the old version sees.
			stored.SetLabels(map[string]string{"v1": "too"})
			if stored, err = api.Update(t.Context(), stored, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			seen := client.ask(t, question{"do": "seen", "name": "a", "resourceVersion": stored.GetResourceVersion()})
			if seen.GetLabels()["v1"] != "too" {
				t.Errorf("the informer has %v", seen.GetLabels())
			}
			list := client.ask(t, question{"do": "list"})
			if items, _, _ := unstructured.NestedSlice(list.Object, "items"); len(items) != 1 {
				t.Errorf("the list has %d claims", len(items))
			}
			client.ask(t, question{"do": "delete", "name": "a"})
			client.ask(t, question{"do": "seen", "name": "a", "resourceVersion": ""})
		})
	}
}

var (
	classicSpec   = map[string]any{"resourceClassName": "gpu.example.com"}
	classicStatus = map[string]any{"status": map[string]any{"driverName": "gpu.example.com", "allocation": map[string]any{
		"resourceHandles": []any{map[string]any{"driverName": "gpu.example.com", "data": "some"}}, "shareable": true}}}
	flatSpec   = map[string]any{"devices": map[string]any{"requests": []any{map[string]any{"name": "gpu", "deviceClassName": "gpu.example.com"}}}}
	exactSpec  = map[string]any{"devices": map[string]any{"requests": []any{map[string]any{"name": "gpu", "exactly": map[string]any{"deviceClassName": "gpu.example.com"}}}}}
	allocation = map[string]any{"status": map[string]any{"allocation": map[string]any{"devices": map[string]any{
		"results": []any{map[string]any{"request": "gpu", "driver": "gpu.example.com", "pool": "p", "device": "d0"}}}}}}
	specs       = map[string]any{"v1alpha1": classicSpec, "v1alpha2": classicSpec, "v1alpha3": flatSpec, "v1beta1": flatSpec, "v1beta2": exactSpec}
	allocations = map[string]any{"v1alpha1": classicStatus, "v1alpha2": classicStatus, "v1alpha3": allocation, "v1beta1": allocation, "v1beta2": allocation}
)

// question to a typed client, see test/clients/client.
type question map[string]any

// typedClient is a running program with the client-go of a release.
type typedClient struct {
	release, namespace, version string
	questions                   *json.Encoder
	answers                     *bufio.Reader
}

// startClient of a release, until the test ends.
func startClient(t *testing.T, release, version, namespace, content string) *typedClient {
	t.Helper()
	program, err := clients.Program(t.Context(), filepath.Join("..", "clients"), release)
	if err != nil {
		t.Fatal(err)
	}
	data, err := ours.Kubeconfig("writer", namespace)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, data, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(context.Background(), program, kubeconfig, content) // ends with its input
	command.Stderr = io.Discard                                                        // warnings of deprecated versions
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
	return &typedClient{release: release, version: version, namespace: namespace, questions: json.NewEncoder(in), answers: bufio.NewReader(out)}
}

// ask a question that must be answered. The object is as the typed client has it.
func (c *typedClient) ask(t *testing.T, q question) *unstructured.Unstructured {
	t.Helper()
	q["kind"], q["namespace"], q["version"] = "ResourceClaim", c.namespace, c.version
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
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatalf("client %s: %v: %s", c.release, err, line)
	}
	if answer.Error != "" {
		t.Fatalf("client %s of %s cannot %v %v: %s", c.release, c.version, q["do"], q["name"], answer.Error)
	}
	return &unstructured.Unstructured{Object: answer.Object}
}
