package bridge

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// absentMessage is the message of errors and warnings if the cluster serves no version that the bridge translates.
const absentMessage = "this cluster serves none of v1, v1beta2 and v1beta1 of " + jsonconvert.Group +
	": enable dynamic resource allocation, or upgrade the cluster"

// respondAbsent responds to a request if the cluster serves none of the versions, as [Options.Absent] says.
func (t *transport) respondAbsent(r *http.Request, target transcode.Target) (*http.Response, error) {
	isVersionDocument := target.IsVersionDocument && r.Method == http.MethodGet
	if t.Absent != AbsentEmpty || !target.IsResource() && !isVersionDocument {
		return t.next.RoundTrip(r)
	}
	defer transcode.CloseBody(r)
	t.logOnce("absent", "The cluster serves no supported version: lists are empty and watches have no events", "group",
		jsonconvert.Group)
	switch {
	case isVersionDocument:
		return transcode.JSONResponse(r, http.StatusOK, resourceList(target.Version)), nil
	case target.IsWatch(r):
		return t.emptyWatch(r, target), nil
	case target.IsCollection() && r.Method == http.MethodGet:
		return withAbsentWarning(transcode.JSONResponse(r, http.StatusOK, emptyList(r, target))), nil
	case r.Method == http.MethodGet:
		return absentError(r, http.StatusNotFound, metav1.StatusReasonNotFound), nil
	}
	return absentError(r, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed), nil
}

func absentError(r *http.Request, code int32, reason metav1.StatusReason) *http.Response {
	return transcode.StatusResponse(r, transcode.NewStatus(code, reason, absentMessage))
}

func withAbsentWarning(resp *http.Response) *http.Response {
	resp.Header.Set("Warning", `299 - "`+absentMessage+`"`)
	return resp
}

// emptyListVersion is the resourceVersion of empty lists. A watch from it returns all objects, if the cluster serves
// the group by then.
const emptyListVersion = "0"

// emptyList returns an empty list, or a table if the client prefers one.
func emptyList(r *http.Request, target transcode.Target) map[string]any {
	metadata := map[string]any{"resourceVersion": emptyListVersion}
	if transcode.PrefersTable(r.Header) {
		return map[string]any{
			"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": metadata, "rows": []any{},
			"columnDefinitions": []any{
				map[string]any{"name": "Name", "type": "string", "format": "name", "description": "", "priority": 0},
			},
		}
	}
	return map[string]any{
		"kind": target.Resource.Kind + "List", "apiVersion": jsonconvert.Group + "/" + target.Version,
		"metadata": metadata, "items": []any{},
	}
}

// maxEmptyWatchTime is the longest duration of an empty watch, and the default. An API server ends a watch without
// timeoutSeconds after five to ten minutes.
const maxEmptyWatchTime = 5 * time.Minute

// emptyWatchTime returns the duration of a watch: timeoutSeconds of its query, but at most maxEmptyWatchTime.
func emptyWatchTime(query url.Values) time.Duration {
	seconds, err := strconv.Atoi(query.Get("timeoutSeconds"))
	if err != nil || seconds <= 0 || seconds > int(maxEmptyWatchTime/time.Second) {
		return maxEmptyWatchTime
	}
	return time.Duration(seconds) * time.Second
}

// emptyWatch returns a watch without events. It ends after [emptyWatchTime], or when the cluster serves the kind, so
// that its client watches again.
func (t *transport) emptyWatch(r *http.Request, target transcode.Target) *http.Response {
	query := r.URL.Query()
	ctx, cancel := context.WithTimeout(r.Context(), emptyWatchTime(query))
	events, writer := io.Pipe()
	go func() {
		defer cancel()
		defer writer.Close()
		if query.Get("sendInitialEvents") == "true" {
			_, _ = fmt.Fprintf(writer, `{"type":"BOOKMARK","object":{"kind":%q,"apiVersion":"%s/%s","metadata":`+
				`{"resourceVersion":%q,"annotations":{%q:"true"}}}}`+"\n",
				target.Resource.Kind, jsonconvert.Group, target.Version, emptyListVersion,
				metav1.InitialEventsAnnotationKey)
		}
		_ = wait.PollUntilContextCancel(ctx, absentRefreshInterval, false,
			func(ctx context.Context) (bool, error) {
				served, err := t.refreshVersions(r.WithContext(ctx))
				return err == nil && served.newest() != "", nil
			})
	}()
	resp := transcode.JSONResponse(r, http.StatusOK, nil)
	return withAbsentWarning(transcode.WithBody(resp, emptyWatchBody{events, cancel}, -1))
}

// emptyWatchBody is the body of a watch without events. Close ends the watch.
type emptyWatchBody struct {
	*io.PipeReader
	cancel func()
}

func (b emptyWatchBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}
