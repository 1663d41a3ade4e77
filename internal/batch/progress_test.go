package batch

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestProgressLineIsBelowMessages(t *testing.T) {
	var screen bytes.Buffer
	p := &progress{w: &screen}
	must.Get(io.Copy(io.Discard, p.reader(strings.NewReader(strings.Repeat("x", 3_000_000)))))(t)
	p.objects.Add(7)
	p.show(p.line(2 * time.Second))
	must.Get(io.WriteString(p, "a message\n"))(t)
	p.show("") // there is no line to erase
	want := eraseLine + "7 objects, 3 MB read, 2 MB/s" + eraseLine + "a message\n"
	if diff := cmp.Diff(want, screen.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoProgressLineWithoutATerminal(t *testing.T) {
	var stderr bytes.Buffer
	p, stop := startProgress(nil, true, io.Discard, &stderr)
	must.Get(io.WriteString(p, "a message\n"))(t)
	stop()
	if stderr.String() != "a message\n" {
		t.Errorf("%q", stderr.String())
	}
}

func TestProgressLineShowsRemainingTime(t *testing.T) {
	tests := map[string]struct {
		allBytes, bytes int64
		want            string
	}{
		"of files whose size is known": {
			20_000_000,
			5_000_000,
			"30 objects in 2 of 9 files, 5 of 20 MB (25%), 6 s left",
		},
		"before anything is read":  {20_000_000, 0, "30 objects in 2 of 9 files, 0 of 20 MB (0%)"},
		"of a file that has grown": {20_000_000, 25_000_000, "30 objects in 2 of 9 files, 25 of 20 MB (100%)"},
		"of files of unknown size": {0, 5_000_000, "30 objects, 5 MB read, 2 MB/s"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := &progress{allFiles: 9, allBytes: test.allBytes}
			p.objects.Store(30)
			p.files.Store(2)
			p.bytes.Store(test.bytes)
			if got := p.line(2 * time.Second); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
