package convert

import (
	"runtime"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
)

// What cannot be read is searched, each document by itself, for what is left to do.
func TestAFileOfErrorsIsSearchedOnce(t *testing.T) {
	const documents = 8000
	inFolder(t, map[string]string{"a.yaml": strings.Repeat("a: [\n---\n", documents) + "# " + api.Group + "/v1beta1\n"})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, said, outcome := run(t, InFiles{}, false, "a.yaml"); outcome.Failed || !strings.Contains(said, "1 file skipped") {
		t.Fatalf("%+v, %s", outcome, said)
	}
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 400 { // searching all of it for each takes 80 KiB each; the race detector makes pools forget
		t.Errorf("%d MiB", took)
	}
}
