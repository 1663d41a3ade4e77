package review

import (
	"cmp"
	"errors"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// handler is what stands before both kinds of review: it checks the HTTP of a request, and bounds
// its memory and its time.
type handler struct {
	Options
	memory *memory
	// serve a review, which answers it or returns an error.
	serve func(w http.ResponseWriter, c *call) error
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := h.answer(w, r)
	if err == nil {
		return
	}
	if refused, is := errors.AsType[*refusal.Error](err); is && refused.Shed != "" {
		h.Metrics.Shed(refused.Shed)
	}
	refusal.Write(w, err)
}

func (h *handler) answer(w http.ResponseWriter, r *http.Request) error {
	if err := checkRequest(w, r); err != nil {
		return err
	}
	timeout, err := timeoutOf(r)
	if err != nil {
		return err
	}
	switch {
	case r.ContentLength > h.MaxBodyBytes:
		return tooBig(h.MaxBodyBytes)
	case r.ContentLength == 0:
		return notAReview("the request has no body")
	}
	now := time.Now()
	c := &call{
		Request:    r,
		body:       http.MaxBytesReader(w, r.Body, h.MaxBodyBytes),
		until:      now.Add(timeout),
		memory:     h.memory,
		most:       maxObject,
		connection: http.NewResponseController(w),
	}
	defer c.release()                                      // after a panic, too
	_ = c.connection.SetReadDeadline(now.Add(bodyTimeout)) // where there is no connection there is none
	return h.serve(w, c)
}

func notAReview(format string, args ...any) *refusal.Error {
	return refusal.New(http.StatusBadRequest, format, args...)
}

// checkRequest refuses what is no JSON posted as it is. A request without a content type counts as JSON, as API servers
// and their clients take each other's; a wrong one, like that of a form, shows that the caller means something else.
func checkRequest(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return refusal.New(http.StatusMethodNotAllowed, "%s is not possible here: POST a review",
			refusal.Shorten(r.Method, 16))
	}
	if given := r.Header.Get("Content-Type"); given != "" && !isJSON(given) {
		return refusal.New(http.StatusUnsupportedMediaType, "content type %q: must be application/json",
			refusal.Shorten(given, 128))
	}
	if given := r.Header.Get("Content-Encoding"); given != "" && given != "identity" {
		w.Header().Set("Accept-Encoding", "identity")
		return refusal.New(http.StatusUnsupportedMediaType, "content encoding %q: bodies are read only as they are",
			refusal.Shorten(given, 128))
	}
	return nil
}

func isJSON(contentType string) bool {
	if contentType == applicationJSON { // as API servers write it
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == applicationJSON
}

const applicationJSON = "application/json"

// timeoutOf a request: an API server says with ?timeout=30s how long it will wait.
func timeoutOf(r *http.Request) (time.Duration, error) {
	given, alone := strings.CutPrefix(r.URL.RawQuery, "timeout=") // as API servers write it
	if !alone || strings.ContainsAny(given, "&;%+") {
		given = r.URL.Query().Get("timeout")
	}
	if given == "" {
		return CallTimeout, nil
	}
	timeout, err := time.ParseDuration(given)
	if err != nil || timeout < 0 {
		return 0, refusal.New(http.StatusBadRequest, "timeout %q: must be a duration like 10s",
			refusal.Shorten(given, 32))
	}
	return min(cmp.Or(timeout, CallTimeout), CallTimeout), nil // 0 is no wish, as API servers take it
}
