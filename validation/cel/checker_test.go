package cel

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
)

func TestACheckerHasOneBudget(t *testing.T) {
	var compiled atomic.Int32
	m := newCache(func(source) (Result, int64) {
		compiled.Add(1)
		return Result{}, maxWeightOfChecker / 4
	})
	for range 2 { // a cached expression weighs the same, so that a result does not depend on earlier requests
		w := m.checker(t.Context())
		for i := range 10 {
			w.CheckSelector("again", oldest) // costs once
			result := w.CheckSelector(fmt.Sprint(i), oldest)
			if result.ExceedsLimit != (i >= 3) || w.Exhausted() != (i >= 2) {
				t.Errorf("expression %d: %+v, spent %v", i, result, w.Exhausted())
			}
		}
	}
	if n := compiled.Load(); n != 4 {
		t.Errorf("%d were compiled", n)
	}
}

// TestACheckerAllocatesAtMostItsBudget has as many different hostile expressions as a request of 3 MiB holds, of the
// kinds that allocate most of their weight.
func TestACheckerAllocatesAtMostItsBudget(t *testing.T) {
	skipUnderRace(t)
	compile(of131("true"))
	functionsOf(oldest)
	for name, size := range map[string]int{
		"classes in one":           300,
		"nested lists and a panic": 40,
	} {
		t.Run(name, func(t *testing.T) {
			w := newCache(compile).checker(t.Context())
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			rejected := 0
			for i := range 300 {
				if w.CheckSelector(fmt.Sprintf("%d==%d||", i, i)+hostile[name](size), oldest).ExceedsLimit {
					rejected++
				}
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > maxWeightOfChecker+maxWeight || rejected == 0 {
				t.Errorf("%d MiB were allocated, and %d expressions rejected", got>>20, rejected)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if kept := int64(after.HeapInuse) - int64(before.HeapInuse); kept > 32<<20 {
				t.Errorf("%d MiB are kept", kept>>20)
			}
		})
	}
}
