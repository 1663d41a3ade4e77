//go:build e2e

package install

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// editor is a user of a namespace that continuously creates, changes, lists and deletes claims. No request may fail.
type editor struct {
	claims dynamic.ResourceInterface
	rounds atomic.Int64
	// finish stops the editor, and fails the test if a request failed.
	finish func(t *testing.T)
}

// startEditor starts an editor, as soon as a first round succeeds.
func (l *lifecycle) startEditor(t *testing.T) *editor {
	t.Helper()
	account := rest.CopyConfig(l.Config)
	account.Impersonate.UserName, account.QPS = "editor", -1
	client := must.Get(dynamic.NewForConfig(account))(t)
	e := &editor{
		claims: client.Resource(schema.GroupVersionResource{
			Group: group, Version: "v1", Resource: "resourceclaims",
		}).Namespace("default"),
	}
	await.NoError(t, "the first round of the editor", func() error { return e.round(t.Context()) })
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var failures []string
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			if err := e.round(ctx); err != nil && ctx.Err() == nil {
				failures = append(failures, fmt.Sprintf("round %d: %v", e.rounds.Load(), err))
			}
			e.rounds.Add(1)
		}
	})
	e.finish = func(t *testing.T) {
		t.Helper()
		stop()
		running.Wait()
		if len(failures) > 0 {
			t.Errorf("%d rounds of the editor failed:\n%s", len(failures), strings.Join(failures, "\n"))
		}
		t.Logf("%d rounds of the editor", e.rounds.Load())
	}
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return e
}

// editorLabel is a label of the editor's claims.
const editorLabel = "passing"

func newClaim() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": group + "/v1",
		"kind":       "ResourceClaim",
		"metadata":   map[string]any{"generateName": "passing-", "labels": map[string]any{editorLabel: "yes"}},
		"spec": map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
			"name": "gpu",
			"exactly": map[string]any{
				"deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": int64(1),
			},
		}}}},
	}}
}

// round creates, updates, lists and deletes a claim.
func (e *editor) round(ctx context.Context) error {
	created, err := e.claims.Create(ctx, newClaim(), metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	created.SetAnnotations(map[string]string{"still": "there"})
	if _, err := e.claims.Update(ctx, created, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	list, err := e.claims.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	if len(list.Items) == 0 {
		return fmt.Errorf("list: the list is empty, want claim %s", created.GetName())
	}
	if err := e.claims.Delete(ctx, created.GetName(), metav1.DeleteOptions{}); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	return nil
}

// awaitRounds waits until the editor has completed a number of further rounds.
func (e *editor) awaitRounds(t *testing.T, rounds int64) {
	t.Helper()
	want := e.rounds.Load() + rounds
	await.NoError(t, "rounds of the editor", func() error {
		if got := e.rounds.Load(); got < want {
			return fmt.Errorf("got %d rounds, want %d", got, want)
		}
		return nil
	})
}

// deleteClaims deletes the claim that the editor had created when it was stopped.
func (e *editor) deleteClaims(t *testing.T) {
	t.Helper()
	must.Do(t,
		e.claims.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: editorLabel}))
}
