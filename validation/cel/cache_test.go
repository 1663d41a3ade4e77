package cel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// counting compiles nothing, and counts how often.
func counting(count *atomic.Int32) func(source) (Result, int64) {
	return func(q source) (Result, int64) {
		count.Add(1)
		return Result{Detail: q.expression}, 1
	}
}

func TestARepeatedExpressionIsCompiledOnce(t *testing.T) {
	var compiled, inside atomic.Int32
	begin := make(chan struct{})
	c := newCache(func(q source) (Result, int64) {
		if inside.Add(1) > 1 {
			t.Error("two expressions are compiled at the same time")
		}
		defer inside.Add(-1)
		<-begin
		return counting(&compiled)(q)
	})
	var all, coming sync.WaitGroup
	coming.Add(20)
	for i := range 20 {
		all.Go(func() {
			coming.Done()
			expression := fmt.Sprint(i % 2)
			if v, err := c.result(t.Context(), of131(expression)); err != nil || v.result.Detail != expression {
				t.Errorf("the result is for %q, %v", v.result.Detail, err)
			}
		})
	}
	coming.Wait() // no result is cached before
	close(begin)
	all.Wait()
	if n := compiled.Load(); n != 2 {
		t.Errorf("compiled %d times", n)
	}
}

func TestTheCacheIsLimited(t *testing.T) {
	var compiled atomic.Int32
	c := newCache(counting(&compiled))
	check := func(expression string) {
		if _, err := c.result(t.Context(), of131(expression)); err != nil {
			t.Error(err)
		}
	}
	limit := strings.Repeat("a", MaxLength)
	for range 3 {
		check(limit)
		check(limit + "a") // rejected before it is compiled, and not cached
	}
	if n := compiled.Load(); n != 1 || c.results.Len() != 1 {
		t.Errorf("compiled %d times, and %d are cached", n, c.results.Len())
	}
	for i := range maxCached {
		check(fmt.Sprint(i))
	}
	check(limit)
	if n := c.results.Len(); n != maxCached || compiled.Load() != maxCached+2 {
		t.Errorf("%d are cached, %d were compiled", n, compiled.Load())
	}
}

func TestProblemsAreCached(t *testing.T) {
	var compiled atomic.Int32
	c := newCache(func(q source) (Result, int64) {
		compiled.Add(1)
		return compile(q)
	})
	for range 3 {
		w := c.checker(t.Context())
		if result := w.CheckSelector(hostile["lists in lists"](200), oldest); !result.ExceedsLimit {
			t.Errorf("%+v", result)
		}
	}
	if n := compiled.Load(); n != 1 {
		t.Errorf("compiled %d times", n)
	}
}

// TestNothingIsCompiledAfterTheContextIsDone: also while another write is compiling, and with a context that does not
// close its channel at its deadline.
func TestNothingIsCompiledAfterTheContextIsDone(t *testing.T) {
	var compiled atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	c := newCache(func(source) (Result, int64) {
		if compiled.Add(1) == 3 {
			cancel()
		}
		return Result{}, 1
	})
	w := c.checker(ctx)
	for i := range 10 {
		w.CheckSelector(fmt.Sprint(i), oldest)
	}
	if n := compiled.Load(); n != 3 || w.Err() == nil {
		t.Errorf("%d were compiled, error %v", n, w.Err())
	}
	must.Do(t, c.compiling.Acquire(t.Context(), 1))
	past, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	waiting := c.checker(quiet{t.Context(), past})
	if waiting.CheckSelector("new", oldest); waiting.Err() == nil || compiled.Load() != 3 {
		t.Errorf("%v, %d compiled", waiting.Err(), compiled.Load())
	}
}

// quiet has the deadline of another context, and does not close its channel then.
type quiet struct {
	context.Context
	until context.Context
}

func (q quiet) Deadline() (time.Time, bool) { return q.until.Deadline() }

// TestWaitingWritesAreLimited: a waiting write holds memory that all other calls need. A cached expression does not
// wait.
func TestWaitingWritesAreLimited(t *testing.T) {
	held := make(chan struct{})
	c := newCache(func(source) (Result, int64) { <-held; return Result{}, 1 })
	c.results.Add(of131("known"), weighedResult{})
	var writes sync.WaitGroup
	errs := make(chan error, maxWaiting+1)
	for i := range maxWaiting + 1 { // one is compiled
		writes.Go(func() {
			_, err := c.result(t.Context(), of131(fmt.Sprint("expression ", i)))
			errs <- err
		})
	}
	for c.waiting.Load() < maxWaiting {
		runtime.Gosched()
	}
	if _, err := c.result(t.Context(), of131("one more")); !errors.Is(err, ErrBusy) {
		t.Errorf("one write beyond the limit: %v", err)
	}
	if _, err := c.result(t.Context(), of131("known")); err != nil {
		t.Errorf("a cached expression: %v", err)
	}
	close(held)
	writes.Wait()
	for range maxWaiting + 1 {
		if err := <-errs; err != nil {
			t.Errorf("a waiting write: %v", err)
		}
	}
	if _, err := c.result(t.Context(), of131("one more")); err != nil || c.waiting.Load() != 0 {
		t.Errorf("afterwards: %v, %d wait", err, c.waiting.Load())
	}
}
