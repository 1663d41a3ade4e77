//go:build e2e

package manifests

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// editor of a namespace, who creates, changes, lists and deletes claims all the time, and whom nothing may fail.
type editor struct {
	claims dynamic.ResourceInterface
	rounds atomic.Int64
	end    func(t *testing.T)
}

func (c *cluster) edit(t *testing.T) *editor {
	t.Helper()
	account := rest.CopyConfig(c.rest)
	account.Impersonate.UserName, account.QPS = "editor", -1
	client, err := dynamic.NewForConfig(account)
	if err != nil {
		t.Fatal(err)
	}
	e := &editor{claims: client.Resource(schema.GroupVersionResource{Group: leavingGroup, Version: "v1", Resource: "resourceclaims"}).Namespace("default")}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) { // until the API server has heard of everything
		err := e.round(t.Context())
		if err == nil && c.judges(t) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the installation does not come to work: %v", err)
		}
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var failed []string
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			if err := e.round(ctx); err != nil && ctx.Err() == nil {
				failed = append(failed, fmt.Sprintf("round %d: %v", e.rounds.Load(), err))
			}
			e.rounds.Add(1)
		}
	})
	e.end = func(t *testing.T) {
		t.Helper()
		stop()
		running.Wait()
		if len(failed) > 0 {
			t.Errorf("an editor of the namespace failed:\n%s", strings.Join(failed, "\n"))
		}
		t.Logf("%d rounds of an editor", e.rounds.Load())
	}
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return e
}

// judges tells whether the webhooks are there.
func (c *cluster) judges(t *testing.T) bool {
	bad := `{apiVersion: ` + leavingGroup + `/v1alpha1, kind: ResourceClaim, metadata: {name: bad, namespace: default}, spec: {resourceClassName: Not a name}}`
	output, _ := c.try(t.Context(), []byte(bad), "create", "-f", "-")
	return strings.Contains(output, "spec.resourceClassName: Invalid value")
}

func newClaim(name, prefix string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": leavingGroup + "/v1", "kind": "ResourceClaim", "metadata": map[string]any{"name": name, "generateName": prefix},
		"spec": map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
			"name": "gpu", "exactly": map[string]any{"deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": int64(1)},
		}}}},
	}}
}

func (e *editor) round(ctx context.Context) error {
	created, err := e.claims.Create(ctx, newClaim("", "passing-"), metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	created.SetLabels(map[string]string{"still": "there"})
	if _, err := e.claims.Update(ctx, created, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	list, err := e.claims.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	if len(list.Items) == 0 {
		return fmt.Errorf("list: claim %s is not there", created.GetName())
	}
	if err := e.claims.Delete(ctx, created.GetName(), metav1.DeleteOptions{}); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	return nil
}

// goesOn waits until some more rounds are done.
func (e *editor) goesOn(t *testing.T, rounds int64) {
	t.Helper()
	wanted := e.rounds.Load() + rounds
	for deadline := time.Now().Add(time.Minute); e.rounds.Load() < wanted; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the editor has stopped")
		}
	}
}

// leave one claim and no other.
func (e *editor) leave(t *testing.T, name string) {
	t.Helper()
	if err := e.claims.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.claims.Create(t.Context(), newClaim(name, ""), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}
