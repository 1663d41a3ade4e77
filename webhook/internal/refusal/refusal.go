// Package refusal is how a request is answered that gets no review: with an HTTP error, whose text
// an API server passes on.
package refusal

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is an answer that is not a review: an HTTP error.
type Error struct {
	Code int
	Text string
	// Retry asks an API server to come back: it does so after 429 and 5xx with an integer Retry-After, up to ten
	// times within its 30 s.
	Retry bool
	// Shed is why load was turned away, one of the reasons; empty for all other refusals.
	Shed string
}

// Reasons for shedding load, labels of a metric.
const (
	ShedMemory      = "memory"
	ShedDraining    = "draining"
	ShedDeadline    = "deadline"
	ShedExpressions = "expressions"
)

func (r *Error) Error() string { return r.Text }

// retryAfter in seconds: the shortest that the header can say. Ten of them leave an API server time to be served.
const retryAfter = 1

// maxErrorText is what an API server keeps of the text of an HTTP error.
const maxErrorText = 2048

// New refusal whose text is no longer than an API server keeps.
func New(code int, format string, args ...any) *Error {
	return &Error{Code: code, Text: Shorten(fmt.Sprintf(format, args...), maxErrorText)}
}

// TooBusy is for what fits in a moment, told why it does not now.
func TooBusy(shed, text string) *Error {
	return &Error{Code: http.StatusTooManyRequests, Text: text, Retry: true, Shed: shed}
}

// TooLate is for callers that have stopped waiting; a proxy may still be there to read it.
func TooLate() *Error {
	return &Error{
		Code:  http.StatusServiceUnavailable,
		Text:  "the time that the caller gave is over",
		Retry: true,
		Shed:  ShedDeadline,
	}
}

// Draining is for those who would have to wait for a server that stops.
func Draining() *Error {
	return &Error{Code: http.StatusServiceUnavailable, Text: "the server is stopping", Retry: true, Shed: ShedDraining}
}

// Write answers with any error; what is not a refusal is our own fault and says nothing of itself.
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

// Shorten cuts a text to a number of bytes without splitting a character, and makes it valid UTF-8: messages quote
// names that callers chose.
func Shorten(text string, limit int) string {
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
