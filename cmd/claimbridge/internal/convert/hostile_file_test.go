package convert

import (
	"runtime"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
)

// Whether a file is one of other programs is asked where a document is no object, and answered by reading all of it.
func TestAFileOfErrorsIsReadAgainOnce(t *testing.T) {
	const documents = 2000
	inFolder(t, map[string]string{"a.yaml": strings.Repeat("a: 1\n---\n", documents) + "# " + api.Group + "\n"})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, said, outcome := run(t, InFiles{}, false, "a.yaml"); !outcome.Failed || !strings.Contains(said, "2000 need a person") {
		t.Fatalf("%+v, %s", outcome, said)
	}
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 50 { // reading it for each document takes 64 KiB each
		t.Errorf("%d MiB", took)
	}
}
