// Package plainlog escapes text in log lines. Names in requests may contain line breaks, which would forge log lines,
// and escape sequences for the terminal that shows the log.
package plainlog

import (
	"errors"
	"fmt"
	"strconv"
	"unicode"

	"github.com/go-logr/logr"
)

// Lines is a text of several lines that the program itself generates, such as a stack trace. It is logged without
// escapes.
type Lines string

// New returns a logger that writes each message and each text value as one line of printable characters.
func New(log logr.Logger) logr.Logger {
	if log.GetSink() == nil {
		return log
	}
	if _, plain := log.GetSink().(*sink); plain {
		return log
	}
	return log.WithSink(&sink{log.WithCallDepth(1).GetSink()}) // the sink adds one call
}

type sink struct{ next logr.LogSink }

func (s *sink) Init(logr.RuntimeInfo) {}

func (s *sink) Enabled(level int) bool { return s.next.Enabled(level) }

func (s *sink) Info(level int, message string, values ...any) {
	s.next.Info(level, Text(message), texts(values)...)
}

func (s *sink) Error(err error, message string, values ...any) {
	if err != nil {
		if given := err.Error(); Text(given) != given {
			err = errors.New(Text(given))
		}
	}
	s.next.Error(err, Text(message), texts(values)...)
}

// WithValues implements [logr.LogSink].
func (s *sink) WithValues(values ...any) logr.LogSink {
	return &sink{s.next.WithValues(texts(values)...)}
}

func (s *sink) WithName(name string) logr.LogSink { return &sink{s.next.WithName(Text(name))} }

func (s *sink) WithCallDepth(depth int) logr.LogSink {
	if next, ok := s.next.(logr.CallDepthLogSink); ok {
		return &sink{next.WithCallDepth(depth)}
	}
	return s
}

func texts(values []any) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = plain(v)
	}
	return out
}

// plain returns a value with its texts escaped. Some sinks don't quote types that have a String method, such as klog's
// ObjectRef.
func plain(v any) any {
	switch v := v.(type) {
	case string:
		return Text(v)
	case Lines:
		return string(v)
	case []string:
		out := make([]string, len(v))
		for i := range v {
			out[i] = Text(v[i])
		}
		return out
	case error:
		return Text(v.Error())
	case fmt.Stringer:
		return Text(v.String())
	}
	return v
}

// Text returns a text as one line of printable characters. Other characters are escaped as in Go.
func Text(given string) string {
	for _, c := range given {
		if !unicode.IsPrint(c) || c == unicode.ReplacementChar {
			quoted := strconv.Quote(given)
			return quoted[1 : len(quoted)-1]
		}
	}
	return given
}
