// Package logs keeps what programs and servers of tests say, and shows it when the test fails.
package logs

import (
	"bytes"
	"sync"
	"testing"
)

// Log that several may write at once.
type Log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// maximum length of the end of a log that is printed.
const longest = 16 << 10

// New returns a log with a name, whose end is printed if the test fails.
func New(t testing.TB, name string) *Log {
	t.Helper()
	l := &Log{}
	t.Cleanup(func() {
		if t.Failed() {
			text := l.String()
			t.Logf("%s wrote at the end:\n%s", name, text[max(0, len(text)-longest):])
		}
	})
	return l
}

// Write implements [io.Writer].
func (l *Log) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(text)
}

// String is all that was written so far.
func (l *Log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}
