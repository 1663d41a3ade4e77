package webhook

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func refusedWith(t *testing.T, err error, code int) {
	t.Helper()
	var r *refusal
	if !errors.As(err, &r) || r.code != code {
		t.Errorf("%v, want a refusal with %d", err, code)
	}
}

// TestWorkWaitsForMemory: what is heavy has it alone, what is light needs none.
func TestWorkWaitsForMemory(t *testing.T) {
	b := newBudget(4<<20, new(atomic.Bool))
	heavy := []byte("[" + strings.Repeat("{},", 1<<20) + "{}]")
	if w := weigh(heavy); w < b.work.size {
		t.Fatalf("3 MiB of items weigh only %d", w)
	}
	held, err := b.toWork(t.Context(), heavy)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = b.toWork(ctx, heavy)
	refusedWith(t, err, http.StatusServiceUnavailable)
	if _, err := b.toWork(t.Context(), heavy[:minWeight]); err != nil {
		t.Errorf("a small object waits: %v", err)
	}
	held.release()
	if held, err = b.toWork(t.Context(), heavy); err != nil {
		t.Errorf("there is room again, but %v", err)
	}
	held.release()
	if n := b.inUse.Load(); n != 0 {
		t.Errorf("%d bytes are never given back", n)
	}
}

func TestAnswersPayForTheirMemory(t *testing.T) {
	b := newBudget(1<<20, new(atomic.Bool))
	var held, other lease
	if err := b.payAnswer(&held, 1<<20); err != nil {
		t.Fatal(err)
	}
	refusedWith(t, b.payAnswer(&held, 1), http.StatusRequestEntityTooLarge)
	refusedWith(t, b.payAnswer(&other, 1), http.StatusTooManyRequests)
	held.release()
	if err := b.payAnswer(&other, 1); err != nil {
		t.Error(err)
	}
	other.release()
}

// TestAnObjectIsNoBiggerThanAnAPIServerTakes: in a review that is not too big itself.
func TestAnObjectIsNoBiggerThanAnAPIServerTakes(t *testing.T) {
	s := newServer(t, Options{})
	big := strings.Replace(claimV1alpha2, `"name":"a"`, `"name":"a","annotations":{"x":"`+strings.Repeat("x", maxObject)+`"}`, 1)
	if len(big) < maxObject {
		t.Fatalf("the claim has only %d bytes", len(big))
	}
	for what, body := range map[string]string{
		"alone":        conversionOf("resource.k8s.io/v1alpha3", big),
		"among others": conversionOf("resource.k8s.io/v1alpha3", claimV1alpha2, big),
	} {
		if response := serve(s, post("/convert", body)); response.code != http.StatusRequestEntityTooLarge || !strings.Contains(response.body, "bigger than any") {
			t.Errorf("%s: %d %.200s", what, response.code, response.body)
		}
	}
}
