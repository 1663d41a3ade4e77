package selector

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
func counting(count *atomic.Int32) func(question) (Problem, int64) {
	return func(q question) (Problem, int64) {
		count.Add(1)
		return Problem{Detail: q.expression}, 1
	}
}

func TestARepeatedExpressionIsCompiledOnce(t *testing.T) {
	var compiled, inside atomic.Int32
	begin := make(chan struct{})
	m := newMemory(func(q question) (Problem, int64) {
		if inside.Add(1) > 1 {
			t.Error("two are compiled at a time")
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
			if v, err := m.verdict(t.Context(), of131(expression)); err != nil || v.problem.Detail != expression {
				t.Errorf("the answer is about %q, %v", v.problem.Detail, err)
			}
		})
	}
	coming.Wait() // nobody finds anything before
	close(begin)
	all.Wait()
	if n := compiled.Load(); n != 2 {
		t.Errorf("compiled %d times", n)
	}
}

func TestRememberedExpressionsAreBounded(t *testing.T) {
	var compiled atomic.Int32
	m := newMemory(counting(&compiled))
	check := func(expression string) {
		if _, err := m.verdict(t.Context(), of131(expression)); err != nil {
			t.Error(err)
		}
	}
	limit := strings.Repeat("a", MaxLength)
	for range 3 {
		check(limit)
		check(limit + "a") // refused before it is compiled, and not remembered
	}
	if n := compiled.Load(); n != 1 || m.known.Len() != 1 {
		t.Errorf("compiled %d times, and %d are remembered", n, m.known.Len())
	}
	for i := range maxRemembered {
		check(fmt.Sprint(i))
	}
	check(limit)
	if n := m.known.Len(); n != maxRemembered || compiled.Load() != maxRemembered+2 {
		t.Errorf("%d are remembered, %d were compiled", n, compiled.Load())
	}
}

func TestARefusedExpressionIsNotWeighedAgain(t *testing.T) {
	var compiled atomic.Int32
	m := newMemory(func(q question) (Problem, int64) {
		compiled.Add(1)
		return compile(q)
	})
	for range 3 {
		w := m.write(t.Context())
		if problem := w.Problem(hostile["lists in lists"](200), oldest); !problem.Unaffordable {
			t.Errorf("%+v", problem)
		}
	}
	if n := compiled.Load(); n != 1 {
		t.Errorf("it was looked at %d times", n)
	}
}

// TestNothingIsCompiledForNobody: the next expression is not begun once the context is done, also when another write is
// compiling, and by a context that has a deadline but wakes nobody.
func TestNothingIsCompiledForNobody(t *testing.T) {
	var compiled atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	m := newMemory(func(question) (Problem, int64) {
		if compiled.Add(1) == 3 {
			cancel()
		}
		return Problem{}, 1
	})
	w := m.write(ctx)
	for i := range 10 {
		w.Problem(fmt.Sprint(i), oldest)
	}
	if n := compiled.Load(); n != 3 || w.Err() == nil {
		t.Errorf("%d were compiled, error %v", n, w.Err())
	}
	must.Do(t, m.compiling.Acquire(t.Context(), 1))
	past, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	waiting := m.write(quiet{t.Context(), past})
	if waiting.Problem("new", oldest); waiting.Err() == nil || compiled.Load() != 3 {
		t.Errorf("%v, %d compiled", waiting.Err(), compiled.Load())
	}
}

// quiet has the deadline of another context and tells nobody when it has come.
type quiet struct {
	context.Context
	until context.Context
}

func (q quiet) Deadline() (time.Time, bool) { return q.until.Deadline() }

// TestFewWaitForTheCompiler: who waits holds memory that all other calls need. What is known needs no compiler.
func TestFewWaitForTheCompiler(t *testing.T) {
	held := make(chan struct{})
	m := newMemory(func(question) (Problem, int64) { <-held; return Problem{}, 1 })
	m.known.Add(of131("known"), verdict{})
	var writes sync.WaitGroup
	errs := make(chan error, maxWaiting+1)
	for i := range maxWaiting + 1 { // one is compiled
		writes.Go(func() {
			_, err := m.verdict(t.Context(), of131(fmt.Sprint("expression ", i)))
			errs <- err
		})
	}
	for m.waiting.Load() < maxWaiting {
		runtime.Gosched()
	}
	if _, err := m.verdict(t.Context(), of131("one more")); !errors.Is(err, ErrBusy) {
		t.Errorf("one more than may wait: %v", err)
	}
	if _, err := m.verdict(t.Context(), of131("known")); err != nil {
		t.Errorf("what is known: %v", err)
	}
	close(held)
	writes.Wait()
	for range maxWaiting + 1 {
		if err := <-errs; err != nil {
			t.Errorf("one that waits: %v", err)
		}
	}
	if _, err := m.verdict(t.Context(), of131("one more")); err != nil || m.waiting.Load() != 0 {
		t.Errorf("afterwards: %v, %d wait", err, m.waiting.Load())
	}
}
