package objects

import (
	"iter"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Seed of a run, which its log names. CLAIMBRIDGE_SEED replays one.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := setting(t, "CLAIMBRIDGE_SEED", uint64(time.Now().UnixNano()), func(text string) (uint64, error) {
		return strconv.ParseUint(text, 10, 64)
	})
	t.Logf("replay with CLAIMBRIDGE_SEED=%d", seed)
	return seed
}

// Count is how often a test tries: what the variable of the environment says, else as often as
// usual, and with -short a tenth of it, or a fiftieth with the race detector: it makes pure code
// ten times slower and finds nothing in it that fewer objects would not show.
func Count(t testing.TB, variable string, usual int) int {
	t.Helper()
	n := setting(t, variable, usual, strconv.Atoi)
	if testing.Short() {
		n /= 10
		if Raced {
			n /= 5
		}
	}
	return n
}

// Rounds of a test: one, or as many as begin in the time that CLAIMBRIDGE_FOR says (30m), each with
// the next seed, as the log says.
func Rounds(t testing.TB) iter.Seq[uint64] {
	seed, begun, long := Seed(t), time.Now(), setting(t, "CLAIMBRIDGE_FOR", 0, time.ParseDuration)
	return func(round func(uint64) bool) {
		for round(seed) && time.Since(begun) < long {
			seed++
			t.Logf("replay with CLAIMBRIDGE_SEED=%d", seed)
		}
	}
}

// Raced is set with the race detector.
var Raced = func() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}()

// setting returns the value of an environment variable, or the default.
func setting[T any](t testing.TB, variable string, usual T, parse func(string) (T, error)) T {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	value, err := parse(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return value
}
