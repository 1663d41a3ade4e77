// Package logs captures the output of programs and servers, and prints it if the test fails.
package logs

import (
	"bytes"
	"sync"
	"testing"
)

// Log is an [io.Writer] for concurrent use.
type Log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// maxPrinted is the number of bytes at the end of a log that are printed.
const maxPrinted = 16 << 10

// New returns a log with a name, whose end is printed if the test fails.
func New(t testing.TB, name string) *Log {
	t.Helper()
	l := &Log{}
	t.Cleanup(func() {
		if t.Failed() {
			text := l.String()
			t.Logf("end of the log of %s:\n%s", name, text[max(0, len(text)-maxPrinted):])
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

// String returns the log.
func (l *Log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}
