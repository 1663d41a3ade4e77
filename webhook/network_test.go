package webhook

import (
	"io"
	"strings"
	"testing"
	"time"
)

func newBody(text string) io.Reader { return strings.NewReader(text) }

// slowReader gives a body's first byte, and the rest when it may.
type slowReader struct {
	body string
	wait <-chan struct{}
	read int
}

func (r *slowReader) Read(b []byte) (int, error) {
	if r.read == 1 {
		<-r.wait
	}
	if r.read >= len(r.body) {
		return 0, io.EOF
	}
	end := len(r.body)
	if r.read == 0 {
		end = 1
	}
	n := copy(b, r.body[r.read:end])
	r.read += n
	return n, nil
}

// waitFor something that another goroutine does, for at most twenty seconds.
func waitFor(t testing.TB, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}
