package review

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

func refusalCode(err error) int {
	var r *refusal.Error
	if errors.As(err, &r) {
		return r.Code
	}
	return 0
}

// waiting is a caller that waits for long.
func waiting(t *testing.T) caller { return newCaller(t.Context(), CallTimeout) }

func TestBudget(t *testing.T) {
	t.Run("a request waits its turn", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(4*MinWeight, &atomic.Bool{})
			first, err := b.acquire(waiting(t), 3*MinWeight)
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				time.Sleep(maxWait / 2)
				first.release()
			}()
			begin := time.Now()
			second, err := b.acquire(waiting(t), 2*MinWeight)
			if err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(begin); waited != maxWait/2 {
				t.Errorf("waited %s", waited)
			}
			second.release()
		})
	})
	t.Run("a request that waited long enough comes back later", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(4*MinWeight, &atomic.Bool{})
			held, err := b.acquire(waiting(t), 3*MinWeight)
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			if _, err = b.acquire(waiting(t), 2*MinWeight); refusalCode(err) != http.StatusTooManyRequests {
				t.Errorf("got %v", err)
			}
			if waited := time.Since(begin); waited != maxWait {
				t.Errorf("waited %s, want %s", waited, maxWait)
			}
			held.release()
			if b.inUse.Load() != 0 {
				t.Errorf("%d bytes are still held", b.inUse.Load())
			}
		})
	})
	t.Run("a caller that is gone is not waited for", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(MinWeight, &atomic.Bool{})
			held, err := b.acquire(waiting(t), 1)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = b.acquire(newCaller(t.Context(), maxWait/10), 1); refusalCode(err) != http.StatusServiceUnavailable {
				t.Errorf("got %v", err)
			}
			held.release()
		})
	})
	t.Run("nobody waits for a server that stops", func(t *testing.T) {
		draining := &atomic.Bool{}
		b := newBudget(MinWeight, draining)
		held, err := b.acquire(waiting(t), 1)
		if err != nil {
			t.Fatal(err)
		}
		draining.Store(true)
		if _, err = b.acquire(waiting(t), 1); refusalCode(err) != http.StatusServiceUnavailable {
			t.Errorf("got %v", err)
		}
		held.release()
		if again, err := b.acquire(waiting(t), 1); err != nil {
			t.Errorf("what fits is served while the server stops, got %v", err)
		} else {
			again.release()
		}
	})
	t.Run("what never fits is told so", func(t *testing.T) {
		b := newBudget(MinWeight, &atomic.Bool{})
		if _, err := b.acquire(waiting(t), MinWeight+1); refusalCode(err) != http.StatusRequestEntityTooLarge {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a growing request does not wait", func(t *testing.T) {
		b := newBudget(3*MinWeight, &atomic.Bool{})
		held, err := b.take(waiting(t), b.bodies[3], MinWeight)
		if err != nil {
			t.Fatal(err)
		}
		if err := held.grow(2 * MinWeight); err != nil {
			t.Error(err)
		}
		if err := held.grow(1); refusalCode(err) != http.StatusTooManyRequests {
			t.Errorf("got %v", err)
		}
		held.release()
		if b.inUse.Load() != 0 || !b.bodies[3].free.TryAcquire(3*MinWeight) {
			t.Error("not all was given back")
		}
	})
}
