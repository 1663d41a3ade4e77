// Package httperror has the HTTP errors with which the server responds if it cannot respond with a review. An API
// server passes their text to its client.
package httperror

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is an HTTP error response.
type Error struct {
	Code int
	Text string
	// Retry sets the header Retry-After. After a 429 or 5xx with this header, an API server retries, up to ten times
	// within its 30 s.
	Retry bool
	// Shed is the reason for shedding load, or "" for other errors.
	Shed string
}

// Reasons for shedding load, labels of a metric.
const (
	ShedMemory      = "memory"
	ShedDraining    = "draining"
	ShedDeadline    = "deadline"
	ShedExpressions = "expressions"
)

func (e *Error) Error() string { return e.Text }

// retryAfter in seconds is the shortest time that the header can have. Ten retries fit into the 30 s of an API server.
const retryAfter = 1

// maxErrorText in bytes is the part of the text of an HTTP error that an API server keeps.
const maxErrorText = 2048

// New returns an error whose text is truncated to what an API server keeps.
func New(code int, format string, args ...any) *Error {
	return &Error{Code: code, Text: Truncate(fmt.Sprintf(format, args...), maxErrorText)}
}

// TooBusy returns a 429 for a request that may succeed in a moment, with the reason for shedding it.
func TooBusy(shed, text string) *Error {
	return &Error{Code: http.StatusTooManyRequests, Text: text, Retry: true, Shed: shed}
}

// DeadlineExceeded returns a 503 for a request whose client has stopped waiting. A proxy may still read it.
func DeadlineExceeded() *Error {
	return &Error{
		Code:  http.StatusServiceUnavailable,
		Text:  "request deadline exceeded",
		Retry: true,
		Shed:  ShedDeadline,
	}
}

// ShuttingDown returns a 503 for a request that would have to wait while the server is stopping.
func ShuttingDown() *Error {
	return &Error{Code: http.StatusServiceUnavailable, Text: "the server is stopping", Retry: true, Shed: ShedDraining}
}

// Write responds with an error. The text of an error that is not an [Error] is not sent: the response is "internal
// error".
func Write(w http.ResponseWriter, err error) {
	var r *Error
	if !errors.As(err, &r) {
		r = New(http.StatusInternalServerError, "internal error")
	}
	if r.Retry {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	http.Error(w, r.Text, r.Code)
}

// Truncate cuts a text to a number of bytes without splitting a character, and replaces invalid UTF-8. Messages quote
// names that clients chose.
func Truncate(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= limit {
		return text
	}
	const ellipsis = "..."
	cut := limit - len(ellipsis)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + ellipsis
}
