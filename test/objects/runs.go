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

// Seed returns the seed of a run and logs it. Set CLAIMBRIDGE_SEED to replay a run.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := setting(t, "CLAIMBRIDGE_SEED", uint64(time.Now().UnixNano()), func(text string) (uint64, error) {
		return strconv.ParseUint(text, 10, 64)
	})
	t.Logf("replay with CLAIMBRIDGE_SEED=%d", seed)
	return seed
}

// Count returns the number of iterations of a test: the value of the environment variable, or else the default. With
// -short it is a tenth of that, and with -short and the race detector a fiftieth, because the race detector makes tests
// about ten times slower.
func Count(t testing.TB, variable string, defaultCount int) int {
	t.Helper()
	n := setting(t, variable, defaultCount, strconv.Atoi)
	if testing.Short() {
		n /= 10
		if RaceEnabled {
			n /= 5
		}
	}
	return n
}

// Rounds yields the seed of each round of a test. There is one round, or, if CLAIMBRIDGE_FOR is set to a duration such
// as 30m, as many as start within it. Each round has the next seed and logs it.
func Rounds(t testing.TB) iter.Seq[uint64] {
	seed := Seed(t)
	start := time.Now()
	duration := setting(t, "CLAIMBRIDGE_FOR", 0, time.ParseDuration)
	return func(yield func(uint64) bool) {
		for yield(seed) && time.Since(start) < duration {
			seed++
			t.Logf("replay with CLAIMBRIDGE_SEED=%d", seed)
		}
	}
}

// RaceEnabled reports whether the test runs with the race detector.
var RaceEnabled = func() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}()

// setting returns the value of an environment variable, or the default.
func setting[T any](t testing.TB, variable string, defaultValue T, parse func(string) (T, error)) T {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return defaultValue
	}
	value, err := parse(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return value
}
