package webhook

import (
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// door is what stands before both kinds of review: it checks the HTTP of a request, bounds its body and its time, and
// writes the answer.
type door struct {
	maxBody int64
	budget  *budget
	slots   *slots
	metrics *metrics
	answer  answerer
}

// answerer gives the answer to a review's bytes, a review itself. The bytes are the server's own, which nobody else reads:
// the answer may overwrite them and be made of them. It is written before they are used again.
type answerer func(c caller, r *http.Request, body []byte) (answer, error)

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := d.enter(w, r)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	leave, err := d.slots.enter(r)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	defer leave()
	body, held, err := readBody(c, w, r, d.maxBody, d.budget)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	defer func() { // after the answer is written, and after a panic
		freeBuffer(body)
		held.release()
	}()
	out, err := d.answer(c, r, body)
	defer out.held.release()
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	header := w.Header()
	header["Content-Type"] = contentType
	header["Content-Length"] = []string{strconv.Itoa(out.size())}
	out.write(w)
}

// enter checks the header of a request.
func (d *door) enter(w http.ResponseWriter, r *http.Request) (caller, error) {
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
func (d *door) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if d.metrics.shedding(err) && r.ProtoMajor < 2 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(firstBytes))
		_, _ = io.CopyN(io.Discard, r.Body, min(d.maxBody, maxDiscard)) // as far as it goes
	}
	writeError(w, err)
}

// checkRequest refuses what is no JSON posted as it is. A request without a content type counts as JSON, as API servers
// and their clients take each other's; a wrong one, like that of a form, shows that the caller means something else.
func checkRequest(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return refuse(http.StatusMethodNotAllowed, "%s is not possible here: POST a review", shorten(r.Method, 16))
	}
	if given := r.Header.Get("Content-Type"); given != "" {
		if !isJSON(given) {
			return refuse(http.StatusUnsupportedMediaType, "content type %q: must be application/json", shorten(given, 128))
		}
	}
	if given := r.Header.Get("Content-Encoding"); given != "" && given != "identity" {
		w.Header().Set("Accept-Encoding", "identity")
		return refuse(http.StatusUnsupportedMediaType, "content encoding %q: bodies are read only as they are", shorten(given, 128))
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
		return callTimeout, nil
	}
	given, alone := strings.CutPrefix(r.URL.RawQuery, "timeout=") // as API servers write it
	if !alone || strings.ContainsAny(given, "&;%+") {
		given = r.URL.Query().Get("timeout")
	}
	if given == "" {
		return callTimeout, nil
	}
	timeout, err := time.ParseDuration(given)
	if err != nil || timeout < 0 {
		return 0, refuse(http.StatusBadRequest, "timeout %q: must be a duration like 10s", shorten(given, 32))
	}
	if timeout == 0 { // as API servers take it: no wish
		return callTimeout, nil
	}
	return min(timeout, callTimeout), nil
}
