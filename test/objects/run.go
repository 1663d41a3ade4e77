package objects

import (
	"iter"
	"os"
	"strconv"
	"testing"
	"time"
)

// Seed of a run, which its log names. CLAIMBRIDGE_SEED replays one.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("CLAIMBRIDGE_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("CLAIMBRIDGE_SEED: %v", err)
		}
	}
	t.Logf("replay with CLAIMBRIDGE_SEED=%d", seed)
	return seed
}

// Count is how often a test tries: what the variable of the environment says, else as often as usual, and with -short a
// tenth of it, or a fiftieth with the race detector: it makes pure code ten times slower and finds nothing in it that fewer objects would not
// show.
func Count(t testing.TB, variable string, usual int) int {
	t.Helper()
	n := usual
	if text := os.Getenv(variable); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
	}
	if testing.Short() {
		n /= 10
		if Raced {
			n /= 5
		}
	}
	return n
}

// Rounds of a test: one, or as many as begin in the time that CLAIMBRIDGE_FOR says (30m), each with the seed after the last one's.
func Rounds(t testing.TB) iter.Seq[uint64] {
	t.Helper()
	seed, begun, long := Seed(t), time.Now(), time.Duration(0)
	if text := os.Getenv("CLAIMBRIDGE_FOR"); text != "" {
		var err error
		if long, err = time.ParseDuration(text); err != nil {
			t.Fatalf("CLAIMBRIDGE_FOR: %v", err)
		}
	}
	return func(round func(uint64) bool) {
		for round(seed) && time.Since(begun) < long {
			seed++
		}
	}
}
