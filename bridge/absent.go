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
	"github.com/claimbridge/claimbridge/bridge/unstructured"
)

// absentMessage is the message of errors and warnings if the cluster does not serve the group.
const absentMessage = "this cluster does not serve " + unstructured.Group +
	" in any version that has the kind: dynamic resource allocation is off"

// respondAbsent responds for a cluster that does not serve the kinds.
func (t *transport) respondAbsent(r *http.Request, target transcode.Target) (*http.Response, error) {
	isVersion := target.IsVersion(r.URL) && r.Method == http.MethodGet
	if t.Absent != Empty || !target.IsResource() && !isVersion {
		return t.next.RoundTrip(r)
	}
	t.logOnce("absent", "The cluster does not serve the group: lists are empty and watches have no events", "group",
		unstructured.Group)
	switch {
	case isVersion:
		return jsonResponse(r, http.StatusOK, resourceList(target.Version)), nil
	case target.IsWatch(r):
		return t.emptyWatch(r, target), nil
	case target.IsCollection() && r.Method == http.MethodGet:
		return withAbsentWarning(jsonResponse(r, http.StatusOK, emptyList(r, target))), nil
	case r.Method == http.MethodGet:
		return statusResponse(r, http.StatusNotFound, metav1.StatusReasonNotFound, absentMessage), nil
	}
	return statusResponse(r, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, absentMessage), nil
}

func statusResponse(r *http.Request, code int32, reason metav1.StatusReason, message string) *http.Response {
	return jsonResponse(r, int(code), newStatus(code, reason, message))
}

func newStatus(code int32, reason metav1.StatusReason, message string) metav1.Status {
	return metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure,
		Code:     code,
		Reason:   reason,
		Message:  message,
	}
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
		"kind": target.Kind.Kind + "List", "apiVersion": unstructured.Group + "/" + target.Version,
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
				target.Kind.Kind, unstructured.Group, target.Version, emptyListVersion,
				metav1.InitialEventsAnnotationKey)
		}
		_ = wait.PollUntilContextCancel(ctx, min(t.Refresh, absentRefresh), false,
			func(ctx context.Context) (bool, error) {
				served, err := t.readVersions(r.WithContext(ctx))
				return err == nil && served.newest() != "", nil
			})
	}()
	resp := withAbsentWarning(jsonResponse(r, http.StatusOK, nil))
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	resp.Body = cancelingBody{in, cancel}
	return resp
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
