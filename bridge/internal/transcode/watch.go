package transcode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"

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
	return c.stream(http.StatusOK, header, &events{call: c, ctx: c.r.Context(), body: resp.Body}), nil
}

// events of the cluster, as they are read. A frame that is cut off is none. A watch has buffers while it has an event, and waits without.
type events struct {
	*call
	ctx   context.Context //nolint:containedctx // that of the request, for as long as it lasts
	body  io.ReadCloser
	ahead []byte   // of the next event, that was read with the last one
	now   *buffers // of the event that is shown
	rest  []byte   // of it, that nobody has read
	ended bool
}

// buffers for one event.
type buffers struct {
	d     *jsontext.Decoder
	shown []byte
}

var buffersOfEvents = sync.Pool{New: func() any { return &buffers{d: new(jsontext.Decoder)} }}

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
	if e.rest = e.rest[n:]; len(e.rest) == 0 && e.now != nil {
		buffersOfEvents.Put(e.now)
		e.now, e.rest = nil, nil
	}
	return n, nil
}

func (e *events) next() error {
	if err := e.wait(); err != nil {
		return e.over(err)
	}
	e.now = buffersOfEvents.Get().(*buffers) //nolint:forcetypeassert // all are
	e.now.d.Reset(&bounded{from: io.MultiReader(bytes.NewReader(e.ahead), e.body)}, asWritten...)
	frame, err := e.now.d.ReadValue()
	if err != nil {
		return e.over(err)
	}
	e.ahead = bytes.Clone(bytes.TrimLeft(e.now.d.UnreadBuffer(), space))
	shown, err := e.event(e.now.shown[:0], frame)
	if err != nil {
		e.end(err)
		return nil
	}
	e.now.shown, e.rest = shown, shown
	return nil
}

const space = " \t\r\n"

// wait for the next event to begin.
func (e *events) wait() error {
	for len(e.ahead) == 0 {
		var first [1]byte
		if _, err := io.ReadFull(e.body, first[:]); err != nil {
			return err
		}
		e.ahead = bytes.TrimLeft(first[:], space)
	}
	return nil
}

// over is a watch that cannot be read on: nil when it ends for its client as watches do.
func (e *events) over(err error) error {
	switch {
	case errors.Is(err, errTooBig):
		e.end(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.ended = true
	case e.ctx.Err() != nil: // its client has gone, which is nothing to tell of
		return e.ctx.Err()
	default:
		return err
	}
	return nil
}

// end a watch with a reason.
func (e *events) end(err error) {
	status, _ := json.Marshal(statusOf(err)) // texts and numbers
	e.rest, e.ended = append(append([]byte(`{"type":"ERROR","object":`), status...), "}\n"...), true
}

func decoder(from io.Reader) *jsontext.Decoder {
	return jsontext.NewDecoder(from, asWritten...)
}

// asWritten reads what is there, for others to judge.
var asWritten = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

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
