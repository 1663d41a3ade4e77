package selector

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
)

func TestAWriteHasOneBudgetForAllItsExpressions(t *testing.T) {
	var compiled atomic.Int32
	m := newMemory(func(question) (Problem, int64) {
		compiled.Add(1)
		return Problem{}, maxWeightOfWrite / 4
	})
	for range 2 { // what is remembered weighs the same, so that a verdict does not depend on who came before
		w := m.write(t.Context())
		for i := range 10 {
			w.Problem("again", oldest) // costs once
			if problem := w.Problem(fmt.Sprint(i), oldest); problem.Unaffordable != (i >= 3) || w.Spent() != (i >= 2) {
				t.Errorf("expression %d: %+v, spent %v", i, problem, w.Spent())
			}
		}
	}
	if n := compiled.Load(); n != 4 {
		t.Errorf("%d were compiled", n)
	}
}

// TestNoWriteCostsMoreThanItsBudget has as many different hostile expressions as a request of 3 MiB holds, of the kinds
// that cost most of what they weigh.
func TestNoWriteCostsMoreThanItsBudget(t *testing.T) {
	skipUnderRace(t)
	compile(of131("true"))
	functionsOf(oldest)
	for name, size := range map[string]int{
		"classes in one": 300,
		"what the compiler breaks down over, beside something heavy": 40,
	} {
		t.Run(name, func(t *testing.T) {
			w := newMemory(compile).write(t.Context())
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			refused := 0
			for i := range 300 {
				if w.Problem(fmt.Sprintf("%d==%d||", i, i)+hostile[name](size), oldest).Unaffordable {
					refused++
				}
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > maxWeightOfWrite+maxWeight || refused == 0 {
				t.Errorf("%d MiB were allocated, and %d refused", got>>20, refused)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if kept := int64(after.HeapInuse) - int64(before.HeapInuse); kept > 32<<20 {
				t.Errorf("%d MiB are kept", kept>>20)
			}
		})
	}
}
