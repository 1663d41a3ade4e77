package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// refusal is an answer that is not a review: an HTTP error.
type refusal struct {
	code int
	text string
	// retry tells an API server to come back: it does so after 429 and 5xx with an integer Retry-After, up to ten
	// times within its 30 s.
	retry bool
	// shed is why load was turned away, a label of the metric; empty for all other refusals.
	shed string
}

func (r *refusal) Error() string { return r.text }

// retryAfter in seconds: the shortest that the header can say. Ten of them leave an API server time to be served.
const retryAfter = 1

// maxErrorText is what an API server keeps of the text of an HTTP error.
const maxErrorText = 2048

func refuse(code int, format string, args ...any) *refusal {
	return &refusal{code: code, text: shorten(fmt.Sprintf(format, args...), maxErrorText)}
}

func notAReview(format string, args ...any) *refusal {
	return refuse(http.StatusBadRequest, format, args...)
}

// writeError answers with any error; what is not a refusal is our own fault and says nothing of itself.
func writeError(w http.ResponseWriter, err error) {
	var r *refusal
	if !errors.As(err, &r) {
		r = refuse(http.StatusInternalServerError, "internal error")
	}
	if r.retry {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	http.Error(w, r.text, r.code)
}
