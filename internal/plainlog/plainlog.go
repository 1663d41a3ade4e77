// Package plainlog keeps what callers choose from writing log lines of their own: names in requests
// may hold line breaks, and escape sequences for the terminal that shows the log.
package plainlog

import (
	"errors"
	"fmt"
	"strconv"
	"unicode"

	"github.com/go-logr/logr"
)

// Lines is a text of several lines that the program says itself, like a stack. It is logged as it is.
type Lines string

// New logger, which logs texts, and whatever is a text when it is asked, as one line of printable characters.
func New(log logr.Logger) logr.Logger {
	if log.GetSink() == nil {
		return log
	}
	if _, plain := log.GetSink().(*sink); plain {
		return log
	}
	return log.WithSink(&sink{log.WithCallDepth(1).GetSink()}) // the sink is one call more
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

// WithValues and the other ones are those of [logr.LogSink] and [logr.CallDepthLogSink].
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

// plain is a value whose texts are plain. Types that write themselves, like klog's ObjectRef, are
// not quoted by every sink.
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

// Text is one line of printable characters; what is not is written as in Go.
func Text(given string) string {
	for _, c := range given {
		if !unicode.IsPrint(c) || c == unicode.ReplacementChar {
			quoted := strconv.Quote(given)
			return quoted[1 : len(quoted)-1]
		}
	}
	return given
}
