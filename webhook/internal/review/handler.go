package review

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// handler is what stands before both kinds of review: it checks the HTTP of a request, bounds its body and its time, and
// writes the answer.
type handler struct {
	maxBody int64
	budget  *budget
	metrics *metrics.Metrics
	answer  answerer
}

// answerer gives the answer to a review's bytes, a review itself. The bytes are the server's own, which nobody else reads:
// the answer may overwrite them and be made of them. It is written before they are used again.
type answerer func(c caller, r *http.Request, body []byte) (answer, error)

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := h.enter(w, r)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	body, held, err := readBody(c, w, r, h.maxBody, h.budget)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	defer func() { // after the answer is written, and after a panic
		freeBuffer(body)
		held.release()
	}()
	out, err := h.answer(c, r, body)
	defer out.held.release()
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	header := w.Header()
	header["Content-Type"] = contentType
	header["Content-Length"] = []string{strconv.Itoa(out.size())}
	out.write(w)
}

// enter checks the header of a request.
func (h *handler) enter(w http.ResponseWriter, r *http.Request) (caller, error) {
	if err := checkRequest(w, r); err != nil {
		return caller{}, err
	}
	timeout, err := timeoutOf(r)
	if err != nil {
		return caller{}, err
	}
	return newCaller(r.Context(), timeout), nil
}

// maxDiscard is what two objects of 1.5 MiB, the most that etcd stores by default, need in a review.
const maxDiscard = 4 << 20

// refuse with an error. The body of a request that is to come back is read all the same, without being kept: left
// unread it would cost the connection, and the next try a handshake, or reset the connection before the answer is read. With
// HTTP/2 it costs only its stream, and reading it would keep one that was turned away.
func (h *handler) refuse(w http.ResponseWriter, request *http.Request, err error) {
	var r *refusal.Error
	if !errors.As(err, &r) || r.Shed == "" {
		refusal.Write(w, err)
		return
	}
	h.metrics.Shed(r.Shed)
	if request.ProtoMajor < 2 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(firstBytes))
		_, _ = io.CopyN(io.Discard, request.Body, min(h.maxBody, maxDiscard)) // as far as it goes
	}
	refusal.Write(w, err)
}

func notAReview(format string, args ...any) *refusal.Error {
	return refusal.New(http.StatusBadRequest, format, args...)
}

// checkRequest refuses what is no JSON posted as it is. A request without a content type counts as JSON, as API servers
// and their clients take each other's; a wrong one, like that of a form, shows that the caller means something else.
func checkRequest(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return refusal.New(http.StatusMethodNotAllowed, "%s is not possible here: POST a review", refusal.Shorten(r.Method, 16))
	}
	if given := r.Header.Get("Content-Type"); given != "" {
		if !isJSON(given) {
			return refusal.New(http.StatusUnsupportedMediaType, "content type %q: must be application/json", refusal.Shorten(given, 128))
		}
	}
	if given := r.Header.Get("Content-Encoding"); given != "" && given != "identity" {
		w.Header().Set("Accept-Encoding", "identity")
		return refusal.New(http.StatusUnsupportedMediaType, "content encoding %q: bodies are read only as they are", refusal.Shorten(given, 128))
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

// contentType of all answers, a header's value that nobody changes.
var contentType = []string{applicationJSON}

// timeoutOf a request: an API server says with ?timeout=30s how long it will wait.
func timeoutOf(r *http.Request) (time.Duration, error) {
	if r.URL.RawQuery == "" {
		return CallTimeout, nil
	}
	given, alone := strings.CutPrefix(r.URL.RawQuery, "timeout=") // as API servers write it
	if !alone || strings.ContainsAny(given, "&;%+") {
		given = r.URL.Query().Get("timeout")
	}
	if given == "" {
		return CallTimeout, nil
	}
	timeout, err := time.ParseDuration(given)
	if err != nil || timeout < 0 {
		return 0, refusal.New(http.StatusBadRequest, "timeout %q: must be a duration like 10s", refusal.Shorten(given, 32))
	}
	if timeout == 0 { // as API servers take it: no wish
		return CallTimeout, nil
	}
	return min(timeout, CallTimeout), nil
}
