//go:build e2e

package install

import (
	"context"
	"errors"
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
	end    func(t *testing.T)
}

func (l *life) edit(t *testing.T) *editor {
	t.Helper()
	account := rest.CopyConfig(l.Config)
	account.Impersonate.UserName, account.QPS = "editor", -1
	client := must.Get(dynamic.NewForConfig(account))(t)
	e := &editor{
		claims: client.Resource(schema.GroupVersionResource{
			Group: group, Version: "v1", Resource: "resourceclaims",
		}).Namespace("default"),
	}
	await.NoError(t, "the API server has heard of everything", func() error { return e.round(t.Context()) })
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

// passing claims have a label.
const passing = "passing"

func newClaim() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": group + "/v1",
		"kind":       "ResourceClaim",
		"metadata":   map[string]any{"generateName": "passing-", "labels": map[string]any{passing: "yes"}},
		"spec": map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
			"name": "gpu",
			"exactly": map[string]any{
				"deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": int64(1),
			},
		}}}},
	}}
}

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
		return fmt.Errorf("list: claim %s is not there", created.GetName())
	}
	if err := e.claims.Delete(ctx, created.GetName(), metav1.DeleteOptions{}); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	return nil
}

// waitForRounds waits for some more rounds.
func (e *editor) waitForRounds(t *testing.T, rounds int64) {
	t.Helper()
	wanted := e.rounds.Load() + rounds
	await.NoError(t, "the editor goes on", func() error {
		if e.rounds.Load() < wanted {
			return errors.New("it has stopped")
		}
		return nil
	})
}

// remove deletes the claim that the editor wrote when it was stopped.
func (e *editor) remove(t *testing.T) {
	t.Helper()
	must.Do(t,
		e.claims.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: passing}))
}
