package batch

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestPipelineDeliversInOrderAndLimitsMemory(t *testing.T) {
	p := newPipeline(t.Context())
	var inFlight, most atomic.Int64
	var delivered []int
	const tasks = 2000
	for i := range tasks {
		size := i * 7919 % (3 * defaultPartSize)
		weight := int64(max(size, defaultPartSize))
		must.Do(t, p.do(size, func() func() error {
			now := inFlight.Add(weight)
			for previous := most.Load(); now > previous && !most.CompareAndSwap(previous, now); previous = most.Load() {
			}
			for range i % 5 {
				runtime.Gosched()
			}
			return func() error {
				inFlight.Add(-weight)
				delivered = append(delivered, i)
				return nil
			}
		}))
	}
	must.Do(t, p.close())
	if len(delivered) != tasks {
		t.Errorf("%d of %d delivered", len(delivered), tasks)
	}
	for i, got := range delivered {
		if got != i {
			t.Fatalf("%d was delivered in place %d", got, i)
		}
	}
	if most.Load() > p.capacity {
		t.Errorf("%d bytes were in flight, more than %d", most.Load(), p.capacity)
	}
}

func TestLargeDocumentIsProcessedAlone(t *testing.T) {
	p := newPipeline(t.Context())
	var working, most atomic.Int64
	for range 50 {
		must.Do(t, p.do(yamldoc.MaxDocument, func() func() error {
			most.Store(max(most.Load(), working.Add(1)))
			runtime.Gosched()
			working.Add(-1)
			return func() error { return nil }
		}))
	}
	if err := p.close(); err != nil || most.Load() != 1 {
		t.Errorf("%d at once, %v", most.Load(), err)
	}
}

func TestAnErrorEndsThePipeline(t *testing.T) {
	p := newPipeline(t.Context())
	full := errors.New("no space left")
	after := 0
	err := p.do(0, func() func() error { return func() error { return full } })
	for i := 0; err == nil; i++ {
		if i > 1_000_000 {
			t.Fatal("the error is not returned")
		}
		err = p.do(0, func() func() error {
			return func() error {
				after++
				return nil
			}
		})
	}
	if closed := p.close(); !errors.Is(err, full) || !errors.Is(closed, full) || after > 0 {
		t.Errorf("do: %v, close: %v, delivered after it: %d", err, closed, after)
	}
}

// TestCloseWaitsForADelivery checks that close waits for a delivery that has started: it may have written a part of a
// file.
func TestCloseWaitsForADelivery(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	p := newPipeline(ctx)
	isComplete := false
	deliver := func() error {
		end()
		time.Sleep(50 * time.Millisecond)
		isComplete = true
		return nil
	}
	must.Do(t, p.do(0, func() func() error { return deliver }))
	if err := p.close(); !errors.Is(err, context.Canceled) || !isComplete {
		t.Errorf("%v, and the delivery is complete: %v", err, isComplete)
	}
}
