package transcode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/server/routine"
	"k8s.io/streaming/pkg/httpstream/wsstream"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// watch answers with the store's events, each in the version that was asked for. There is no cache: versions of resources are the store's, so
// that a watch can go on at any replica, and in any version.
func (c *call) watch() error {
	if _, err := negotiation.NegotiateOutputMediaTypeStream(c.r, answers, allowed{tables: true}); err != nil {
		return err
	}
	r, err := c.watchRequest()
	if err != nil {
		return err
	}
	free := func() {}
	if c.Memory != nil {
		if free, err = c.Memory.Watch(c.ctx(), wsstream.IsWebSocketRequest(c.r)); err != nil {
			return err
		}
	}
	ctx, stop := context.WithCancel(c.ctx())
	cancel := func() { stop(); free() }
	resp, err := c.store.AsCaller(ctx, r) //nolint:bodyclose // answer does, or whoever serves it
	if err != nil {
		cancel()
		return err
	}
	if resp.StatusCode != http.StatusOK {
		defer cancel()
		return c.answer(resp)
	}
	c.passHeader(resp.Header)
	serve := func() {
		defer cancel()
		defer resp.Body.Close()
		defer endOnShutdown(ctx, stop)()
		if wsstream.IsWebSocketRequest(c.r) {
			c.serveWebSocket(resp, stop)
			return
		}
		c.serveEvents(resp)
	}
	if task := routine.TaskFrom(c.ctx()); task != nil { // the stack of all handlers is freed first
		over := c.over
		c.over = func() {} // not yet
		task.Func = func() {
			defer over()
			serve()
		}
		return nil
	}
	serve()
	return nil
}

// watchRequest is a list that is watched. The name of a path that begins with /watch is a selector, as with any API server.
func (c *call) watchRequest() (store.Request, error) {
	r := c.request(http.MethodGet, nil, "")
	r.Query.Set("watch", "true")
	if c.info.Name == "" {
		return r, nil
	}
	selector, err := fields.ParseSelector(r.Query.Get("fieldSelector"))
	if err != nil {
		return r, apierrors.NewBadRequest(err.Error())
	}
	if selector.Empty() {
		r.Query.Set("fieldSelector", fields.OneTermEqualSelector("metadata.name", c.info.Name).String())
	} else if name, ok := selector.RequiresExactMatch("metadata.name"); !ok || name != c.info.Name {
		return r, apierrors.NewBadRequest("fieldSelector metadata.name doesn't match requested name")
	}
	return r, nil
}

// endOnShutdown cancels a watch when the server is told to stop, so that its client finds another replica, until the function is called.
func endOnShutdown(ctx context.Context, cancel func()) (stop func()) {
	signals := request.ServerShutdownSignalFrom(ctx)
	if signals == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-signals.ShuttingDown():
			cancel()
		case <-done:
		}
	}()
	return func() { close(done) }
}

func (c *call) serveEvents(resp *http.Response) {
	c.w.Header().Set("Content-Type", "application/json")
	c.outcome.Code = http.StatusOK
	c.w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(c.w)
	_ = flush.Flush()
	c.events(resp, func(frame []byte, more bool) error {
		if _, err := c.w.Write(frame); err != nil || more {
			return err
		}
		return flush.Flush()
	})
}

// events of the store are sent until there are none, or one cannot be sent. A frame that is cut off is none. The function is told whether the
// next one is here already, so that the first of a watch, which come at once, share packets.
func (c *call) events(resp *http.Response, send func(frame []byte, more bool) error) {
	in := &metered{from: resp.Body, room: c.room}
	d := decoder(in)
	defer c.giveBack()
	var out []byte
	for {
		in.read = 0
		frame, err := d.ReadValue()
		if err != nil {
			if err = cut(err); errors.Is(err, errNoMemory) || errors.Is(err, errTooBig) {
				_ = send(errorEvent(err), false)
			}
			return
		}
		if out, err = c.event(out[:0], frame); err != nil {
			_ = send(errorEvent(err), false)
			return
		}
		c.outcome.Items++
		rest := bytes.TrimLeft(d.UnreadBuffer(), "\n")
		if send(out, bytes.IndexByte(rest, '\n') >= 0) != nil {
			return
		}
		if c.free != nil { // a big one: nothing of its size stays behind
			in.from = io.MultiReader(bytes.NewReader(bytes.Clone(d.UnreadBuffer())), resp.Body)
			d, out = decoder(in), nil
			c.giveBack()
			_ = http.NewResponseController(c.w).SetWriteDeadline(time.Time{})
		}
	}
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
	return replace(out, object, "apiVersion", setString(c.GroupVersionKind().GroupVersion().String()))
}

// errorEvent ends a watch with a reason.
func errorEvent(err error) []byte {
	status, _ := json.Marshal(responsewriters.ErrorToAPIStatus(err)) // texts and numbers
	return append(append([]byte(`{"type":"ERROR","object":`), status...), "}\n"...)
}
