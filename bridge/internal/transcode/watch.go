package transcode

import (
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
)

// eventBuffer in bytes is kept by each watch. A sidecar can have a thousand watches that wait.
const eventBuffer = 512

// watchResponse returns the events of the cluster with their objects in the requested version. resourceVersions are
// those of the cluster, so a watch can continue in any version.
func (p versionPair) watchResponse(resp *http.Response) (*http.Response, error) {
	if resp.StatusCode != http.StatusOK || !isJSON(resp) {
		return p.translateResponse(resp, false)
	}
	events := rawjson.NewReader(resp.Body, maxObject, eventBuffer)
	return WithBody(resp, &eventReader{versions: p, events: events, body: resp.Body}, -1), nil
}

// eventReader reads converted events.
type eventReader struct {
	versions versionPair
	events   *rawjson.Reader
	body     io.Closer
	unread   []byte // part of the current event
}

func (e *eventReader) Read(p []byte) (int, error) {
	if len(e.unread) == 0 {
		event, err := e.events.Value()
		if err != nil {
			return 0, err
		}
		converted, err := rawjson.Edit(event, []string{"object"}, e.versions.convertObject)
		if err != nil {
			return 0, fmt.Errorf("convert an event of the cluster to %s: %w", e.versions.requested, err)
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
