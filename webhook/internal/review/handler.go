package review

import (
	"cmp"
	"context"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

// handler is the HTTP side of all reviews: it checks the request, limits memory and time, and writes the response.
type handler struct {
	Options
	memory *memory
	// review returns the response to a review. It must return early once ctx is done.
	review func(ctx context.Context, r *http.Request, body []byte) ([]byte, error)
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := h.serve(w, r)
	if err == nil {
		return
	}
	if rejected, ok := errors.AsType[*httperror.Error](err); ok && rejected.Shed != "" {
		h.Metrics.CountShed(rejected.Shed)
	}
	httperror.Write(w, err)
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request) error {
	if err := checkRequest(w, r); err != nil {
		return err
	}
	timeout, err := timeoutOf(r)
	if err != nil {
		return err
	}
	switch {
	case r.ContentLength > h.MaxRequestBytes:
		return tooLarge(h.MaxRequestBytes)
	case r.ContentLength == 0:
		return notAReview("the request has no body")
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()

	bodyMemory := &reservation{budget: h.memory.bodies}
	defer bodyMemory.release() // after a panic, too
	body, err := h.readBody(ctx, w, r, bodyMemory)
	if err != nil {
		return err
	}
	response, err := h.respond(ctx, r, body)
	if err != nil {
		return err
	}
	if err := bodyMemory.growTo(ctx, int64(len(body)+len(response))); err != nil {
		return err
	}
	// The body and the response hold memory until the response is written, so a client must read it in time.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(responseTimeout)) // fails only in tests
	header := w.Header()
	header.Set("Content-Type", applicationJSON)
	header.Set("Content-Length", strconv.Itoa(len(response)))
	if _, err := w.Write(response); err != nil {
		h.Logger.V(2).Info("The client disconnected, or did not read the response in time")
	}
	return nil
}

// respond returns the response to a review. It holds memory for the work on the body only while it runs.
func (h *handler) respond(ctx context.Context, r *http.Request, body []byte) ([]byte, error) {
	workMemory := &reservation{budget: h.memory.work}
	defer workMemory.release()
	if err := workMemory.growTo(ctx, memoryForReview(body)); err != nil {
		return nil, err
	}
	response, err := h.review(ctx, r, body)
	if ctx.Err() != nil { // the client does not wait any more: the response is neither complete nor needed
		return nil, httperror.DeadlineExceeded()
	}
	return response, err
}

func notAReview(format string, args ...any) *httperror.Error {
	return httperror.New(http.StatusBadRequest, format, args...)
}

// checkRequest returns an error unless the request is a POST of uncompressed JSON. A request without a content type is
// JSON, as in an API server.
func checkRequest(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return httperror.New(http.StatusMethodNotAllowed, "method %s is not allowed: POST a review",
			httperror.Truncate(r.Method, 16))
	}
	if contentType := r.Header.Get("Content-Type"); contentType != "" && !isJSON(contentType) {
		return httperror.New(http.StatusUnsupportedMediaType, "content type %q: must be application/json",
			httperror.Truncate(contentType, 128))
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		w.Header().Set("Accept-Encoding", "identity")
		return httperror.New(http.StatusUnsupportedMediaType, "content encoding %q: compressed bodies are not supported",
			httperror.Truncate(encoding, 128))
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

// timeoutOf returns how long the client of a request waits, at most CallTimeout. API servers send ?timeout=30s.
func timeoutOf(r *http.Request) (time.Duration, error) {
	text, isOnlyParameter := strings.CutPrefix(r.URL.RawQuery, "timeout=") // as API servers write it
	if !isOnlyParameter || strings.ContainsAny(text, "&;%+") {
		text = r.URL.Query().Get("timeout")
	}
	if text == "" {
		return CallTimeout, nil
	}
	timeout, err := time.ParseDuration(text)
	if err != nil || timeout < 0 {
		return 0, httperror.New(http.StatusBadRequest, "timeout %q: must be a duration like 10s",
			httperror.Truncate(text, 32))
	}
	return min(cmp.Or(timeout, CallTimeout), CallTimeout), nil // 0 means no timeout, as in API servers
}
