package bridge

import (
	"context"
	"fmt"
	"io"
	"net/http"
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

// respondAbsent responds for a cluster that serves none of the versions.
func (t *transport) respondAbsent(r *http.Request, target transcode.Target) (*http.Response, error) {
	isVersion := target.IsVersionDocument && r.Method == http.MethodGet
	if t.Absent != AbsentEmpty || !target.IsResource() && !isVersion {
		return t.next.RoundTrip(r)
	}
	defer transcode.CloseBody(r)
	t.logOnce("absent", "The cluster serves no supported version: lists are empty and watches have no events", "group",
		jsonconvert.Group)
	switch {
	case isVersion:
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

// emptyListVersion is the resourceVersion of empty lists. A watch from it returns all objects if the group is served
// later.
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

// emptyWatchTime is the duration of a watch without timeoutSeconds. That of an API server is five to ten minutes.
const emptyWatchTime = 5 * time.Minute

// emptyWatch returns a watch without events. It ends after its time, or when the cluster serves the kind, so that its
// client watches again.
func (t *transport) emptyWatch(r *http.Request, target transcode.Target) *http.Response {
	timeout := emptyWatchTime
	if seconds, err := strconv.Atoi(r.URL.Query().Get("timeoutSeconds")); err == nil && seconds > 0 {
		timeout = min(timeout, time.Duration(seconds)*time.Second)
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	in, out := io.Pipe()
	go func() {
		defer cancel()
		defer out.Close()
		if r.URL.Query().Get("sendInitialEvents") == "true" {
			_, _ = fmt.Fprintf(out, `{"type":"BOOKMARK","object":{"kind":%q,"apiVersion":"%s/%s","metadata":`+
				`{"resourceVersion":%q,"annotations":{%q:"true"}}}}`+"\n",
				target.Resource.Kind, jsonconvert.Group, target.Version, emptyListVersion,
				metav1.InitialEventsAnnotationKey)
		}
		_ = wait.PollUntilContextCancel(ctx, absentRefresh, false,
			func(ctx context.Context) (bool, error) {
				served, err := t.refreshVersions(r.WithContext(ctx))
				return err == nil && served.newest() != "", nil
			})
	}()
	resp := transcode.JSONResponse(r, http.StatusOK, nil)
	return withAbsentWarning(transcode.WithBody(resp, cancelingBody{in, cancel}, -1))
}

// cancelingBody is the body of a watch. Close ends the watch.
type cancelingBody struct {
	*io.PipeReader
	cancel func()
}

func (b cancelingBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}
