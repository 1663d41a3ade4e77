package transcode

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// watch answers with the cluster's events, each in the version that was asked for. There is no cache: versions of resources are the cluster's,
// so that a watch can go on in any version.
func (c *call) watch() (*http.Response, error) {
	if c.r.Header.Get("Upgrade") != "" {
		return nil, apierrors.NewBadRequest("a watch of a bridged version is no WebSocket: read the events as they come")
	}
	resp, err := c.Next.RoundTrip(c.request(http.MethodGet, nil, ""))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return c.answer(resp)
	}
	header := c.header(resp.Header)
	header.Set("Content-Type", "application/json")
	in := &bounded{from: resp.Body}
	return c.stream(http.StatusOK, header, &events{call: c, in: in, d: decoder(in), body: resp.Body}), nil
}

// events of the cluster, as they are read. A frame that is cut off is none.
type events struct {
	*call
	in    *bounded
	d     *jsontext.Decoder
	body  io.ReadCloser
	frame []byte // as shown
	rest  []byte // of it, that nobody has read
	ended bool
}

func (e *events) Close() error { return e.body.Close() }

func (e *events) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.ended {
			return 0, io.EOF
		}
		if err := e.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	if len(e.rest) == 0 && cap(e.frame) > bigFrame { // nothing of its size stays behind
		e.frame = nil
	}
	return n, nil
}

// bigFrame is more than events of claims have.
const bigFrame = 64 << 10

func (e *events) next() error {
	e.in.read = 0
	frame, err := e.d.ReadValue()
	switch {
	case errors.Is(err, errTooBig):
		e.end(err)
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.ended = true
		return nil
	case err != nil:
		return err
	}
	shown, err := e.event(e.frame[:0], frame)
	if err != nil {
		e.end(err)
		return nil
	}
	e.frame, e.rest = shown, shown
	return nil
}

// end a watch with a reason.
func (e *events) end(err error) {
	status, _ := json.Marshal(statusOf(err)) // texts and numbers
	e.rest, e.ended = append(append([]byte(`{"type":"ERROR","object":`), status...), "}\n"...), true
}

func decoder(from io.Reader) *jsontext.Decoder {
	return jsontext.NewDecoder(from, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// event as the version shows it. A bookmark is an empty object with a resourceVersion, and annotations that say what it means.
func (c *call) event(out, frame []byte) ([]byte, error) {
	kind := ""
	s := kjson.New(frame)
	for name, value := range s.Values() {
		if name == "type" {
			kind = kjson.StringOf(value)
			break
		}
	}
	show := c.show
	switch kind {
	case "ERROR":
		show = func(out, status []byte) ([]byte, error) { return append(out, c.reword(status)...), nil }
	case "BOOKMARK":
		show = c.showBookmark
	}
	out, err := replace(out, frame, "object", show)
	if err != nil {
		return out, err
	}
	return append(out, '\n'), nil
}

// showBookmark shows an object that was never valid, of which a lens may want more than is there.
func (c *call) showBookmark(out, object []byte) ([]byte, error) {
	shown, err := c.show(out, object)
	if err == nil {
		return shown, nil
	}
	return replace(out, object, "apiVersion", setString(c.gvk().GroupVersion().String()))
}
