package transcode

import (
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
)

// eventBufferBytes is the size of the buffer that each waiting watch keeps. A sidecar can have a thousand of them.
const eventBufferBytes = 512

// watchResponse returns the events of the cluster with their objects in the requested version. resourceVersions are
// those of the cluster, so a client can continue a watch in any version.
func (p versionPair) watchResponse(resp *http.Response) (*http.Response, error) {
	if resp.StatusCode != http.StatusOK || !isJSON(resp) {
		return p.translateResponse(resp, false)
	}
	events := rawjson.NewReader(resp.Body, maxObjectBytes, eventBufferBytes)
	return WithBody(resp, &eventReader{versions: p, events: events, body: resp.Body}, -1), nil
}

// eventReader is the body of a watch. It converts the events while they are read.
type eventReader struct {
	versions versionPair
	events   *rawjson.Reader
	body     io.Closer
	unread   []byte // rest of the current event
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
		e.unread = nil // releases the memory of the event while the watch waits
	}
	return n, nil
}

func (e *eventReader) Close() error { return e.body.Close() }
