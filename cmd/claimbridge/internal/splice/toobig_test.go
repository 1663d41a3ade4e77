package splice_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
)

// What is nested deep takes a line for each level, each with more spaces than the last: a few hundred kilobytes become half a gigabyte.
// That is refused when it is too big, not when it is whole.
func TestWhatWouldBecomeTooBigIsNotWrittenFirst(t *testing.T) {
	const levels, most = 5000, 1 << 30 // twice what it takes to come to the limit
	deep := strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
	wanted := `{"a":[` + strings.TrimSuffix(strings.Repeat(deep+",", 20), ",") + `]}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := splice.Edit([]byte("a: 1\n"), []byte(wanted), nil)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "too big") {
		t.Fatalf("%v", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("%d MiB were allocated", got>>20)
	} else {
		t.Logf("%d MiB were allocated", got>>20)
	}
}
