package review

import (
	"errors"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

func refusedWith(t *testing.T, err error, code int) {
	t.Helper()
	var r *refusal.Error
	if !errors.As(err, &r) || r.Code != code {
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
	held, err := b.toWork(waiting(t), heavy)
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.toWork(newCaller(t.Context(), 50*time.Millisecond), heavy)
	refusedWith(t, err, http.StatusServiceUnavailable)
	if _, err := b.toWork(waiting(t), heavy[:MinWeight]); err != nil {
		t.Errorf("a small object waits: %v", err)
	}
	held.release()
	if held, err = b.toWork(waiting(t), heavy); err != nil {
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
	big := strings.Replace(reviews.ClaimV1alpha2, `"name":"a"`, `"name":"a","annotations":{"x":"`+strings.Repeat("x", maxObject)+`"}`, 1)
	if len(big) < maxObject {
		t.Fatalf("the claim has only %d bytes", len(big))
	}
	for what, body := range map[string]string{
		"alone":        reviews.Conversion("resource.k8s.io/v1alpha3", big),
		"among others": reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2, big),
	} {
		if response := serve(s, reviews.Post("/convert", body)); response.Code != http.StatusRequestEntityTooLarge || !strings.Contains(response.Body, "bigger than any") {
			t.Errorf("%s: %d %.200s", what, response.Code, response.Body)
		}
	}
}

// TestMemoryIsAskedForBeforeItIsTaken: an object that is refused, or that nobody can work at, has no room for its answer yet.
func TestMemoryIsAskedForBeforeItIsTaken(t *testing.T) {
	sized := func(bytes int) string {
		return strings.Replace(reviews.ClaimV1alpha2, `"name":"a"`, `"name":"a","annotations":{"x":"`+strings.Repeat("x", bytes)+`"}`, 1)
	}
	tests := map[string]struct {
		objects []string
		busy    bool
		code    int
	}{
		"one that is too big":         {[]string{sized(60 << 20)}, false, http.StatusRequestEntityTooLarge},
		"one too big, behind another": {[]string{reviews.ClaimV1alpha2, sized(60 << 20)}, false, http.StatusRequestEntityTooLarge},
		"one too big, among others":   {[]string{sized(pieceSize), sized(60 << 20)}, false, http.StatusRequestEntityTooLarge},
		"one while others work":       {[]string{sized(10 << 20)}, true, http.StatusTooManyRequests},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := newServer(t, Options{MaxInFlightBytes: 64 << 20}).convert
			if test.busy {
				held, err := c.budget.take(waiting(t), c.budget.work, c.budget.work.size)
				if err != nil {
					t.Fatal(err)
				}
				defer held.release()
			}
			body := []byte(reviews.Conversion("resource.k8s.io/v1alpha3", test.objects...))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := c.answer(waiting(t), reviews.Post("/convert", ""), body)
			runtime.ReadMemStats(&after)
			refusedWith(t, err, test.code)
			if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 { // the spans of 100,000 objects, and a piece of the answer
				t.Errorf("it took %d bytes", took)
			}
		})
	}
}

// TestMemoryIsGivenBackAfterAnyPanic: even one that comes while another is caught.
func TestMemoryIsGivenBackAfterAnyPanic(t *testing.T) {
	s := newServer(t, Options{})
	b := newBudget(4<<20, s.options.Draining)
	c := &converter{budget: b} // without metrics, which are for what was caught
	c.convert = func([]byte, []byte, string, conversion.Options) ([]byte, conversion.Report, error) { panic("x") }
	object := []byte(`{"a":"` + strings.Repeat("x", 2*MinWeight) + `"}`)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("nothing panics")
			}
		}()
		_, _, _ = c.objects(task{caller: waiting(t), body: object}, &conversionReview{objects: []span{{0, len(object)}}})
	}()
	if n := b.inUse.Load(); n != 0 {
		t.Errorf("%d bytes are never given back", n)
	}
}
