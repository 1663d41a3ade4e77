package convert

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheProgressLineMakesWayForMessages(t *testing.T) {
	var screen bytes.Buffer
	p := &progress{w: &screen}
	if _, err := io.Copy(io.Discard, p.reader(strings.NewReader(strings.Repeat("x", 3_000_000)))); err != nil {
		t.Fatal(err)
	}
	p.objects.Add(7)
	p.draw(2 * time.Second)
	if _, err := io.WriteString(p, "a message\n"); err != nil {
		t.Fatal(err)
	}
	p.erase() // nothing is there to be erased
	want := eraseLine + "7 objects, 3 MB read, 2 MB/s" + eraseLine + "a message\n"
	if diff := cmp.Diff(want, screen.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoProgressLineWhereThereIsNoTerminal(t *testing.T) {
	var stderr bytes.Buffer
	p, stop := startProgress(io.Discard, &stderr)
	if _, err := io.WriteString(p, "a message\n"); err != nil {
		t.Fatal(err)
	}
	stop()
	if stderr.String() != "a message\n" {
		t.Errorf("%q", stderr.String())
	}
}
