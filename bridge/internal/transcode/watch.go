package transcode

import (
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
)

// watchBuffer in bytes is kept by each watch. A sidecar can have a thousand watches that wait.
const watchBuffer = 512

// watchResponse returns the events of the cluster with their objects in the requested version. resourceVersions are
// those of the cluster, so a watch can continue in any version.
func (x translation) watchResponse(resp *http.Response) (*http.Response, error) {
	if resp.StatusCode != http.StatusOK || !isJSON(resp) {
		return x.response(resp, false)
	}
	events := rawjson.NewReader(resp.Body, maxObject, watchBuffer)
	return withBody(resp, &eventReader{x: x, events: events, body: resp.Body}, -1), nil
}

// eventReader reads converted events.
type eventReader struct {
	x      translation
	events *rawjson.Reader
	body   io.Closer
	unread []byte // part of the current event
}

func (e *eventReader) Read(p []byte) (int, error) {
	if len(e.unread) == 0 {
		event, err := e.events.Value()
		if err != nil {
			return 0, err
		}
		converted, err := rawjson.Edit(event, []string{"object"}, e.x.convertResponse)
		if err != nil {
			return 0, fmt.Errorf("convert an event of the cluster to %s: %w", e.x.requested, err)
		}
		e.unread = slices.Concat(converted, []byte{'\n'})
	}
	n := copy(p, e.unread)
	e.unread = e.unread[n:]
	if len(e.unread) == 0 {
		e.unread = nil // it shares memory with the event, which is not needed while the watch waits
	}
	return n, nil
}

func (e *eventReader) Close() error { return e.body.Close() }
