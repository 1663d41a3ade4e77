package transcode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// watch answers with the cluster's events, each in the version that was asked for. There is no
// cache: versions of resources are the cluster's, so that a watch can go on in any version.
func (c *call) watch() (*http.Response, error) {
	if c.r.Header.Get("Upgrade") != "" {
		return nil, apierrors.NewBadRequest("WebSocket is not supported for watches of a bridged version: use a " +
			"normal watch request")
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
	return c.stream(http.StatusOK, header, &events{call: c, body: resp.Body}), nil
}

// events of the cluster, as they are read. A frame that is cut off is none. A watch has buffers
// while it has an event, and waits without.
type events struct {
	*call
	body  io.ReadCloser
	now   *buffers // of the event that is shown, and of the next one where it was read ahead
	rest  []byte   // of the event, not yet read
	ended bool
}

// buffers for one event after the other.
type buffers struct {
	d     *jsontext.Decoder
	in    bounded
	shown []byte
	most  int // bytes of one of them
}

var buffersOfEvents = sync.Pool{New: func() any { return &buffers{d: new(jsontext.Decoder)} }}

// maxPooled is what a buffer may have that is kept for other watches.
const maxPooled = 64 << 10

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
	if len(e.rest) == 0 && e.now != nil && len(bytes.TrimLeft(e.now.d.UnreadBuffer(), space)) == 0 {
		if e.now.most <= maxPooled {
			buffersOfEvents.Put(e.now)
		}
		e.now, e.rest = nil, nil
	}
	return n, nil
}

const space = " \t\r\n"

func (e *events) next() error {
	for e.now == nil { // the next event has to begin
		var first [1]byte
		if _, err := io.ReadFull(e.body, first[:]); err != nil {
			return e.over(err)
		}
		if !bytes.Contains([]byte(space), first[:]) {
			e.now = buffersOfEvents.Get().(*buffers) //nolint:forcetypeassert // all are
			e.now.in.from = io.MultiReader(bytes.NewReader(first[:]), e.body)
			e.now.d.Reset(&e.now.in, asWritten...)
		}
	}
	b := e.now
	b.in.read = len(b.d.UnreadBuffer())
	frame, err := b.d.ReadValue()
	if err != nil {
		return e.over(err)
	}
	shown, err := e.event(b.shown[:0], frame)
	if err != nil {
		e.end(err)
		return nil
	}
	b.shown, e.rest = shown, shown
	b.most = max(b.most, len(frame)+cap(b.d.UnreadBuffer()), cap(shown))
	return nil
}

// over is a watch that cannot be read on: nil when it ends for its client as watches do.
func (e *events) over(err error) error {
	switch {
	case errors.Is(err, errTooBig):
		e.end(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.ended = true
	case e.r.Context().Err() != nil: // its client has gone, which is nothing to tell of
		return e.r.Context().Err()
	default:
		return err
	}
	return nil
}

// end a watch with a reason.
func (e *events) end(err error) {
	status, _ := json.Marshal(statusOf(err)) // texts and numbers
	e.now, e.ended = nil, true
	e.rest = append(append([]byte(`{"type":"ERROR","object":`), status...), "}\n"...)
}

// asWritten reads what is there, for others to validate.
var asWritten = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// event as the version shows it. A bookmark is an empty object with a resourceVersion, and
// annotations that say what it means.
func (c *call) event(out, frame []byte) ([]byte, error) {
	kind := ""
	s := objectjson.NewScanner(frame)
	for name, value := range s.Values() {
		if name == "type" {
			kind = objectjson.StringOf(value)
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

// showBookmark shows an object that was never valid, which may lack what its conversion needs.
func (c *call) showBookmark(out, object []byte) ([]byte, error) {
	shown, err := c.show(out, object)
	if err == nil {
		return shown, nil
	}
	return replace(out, object, "apiVersion", setString(c.gvk().GroupVersion().String()))
}
