package bridge

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
)

// absence is the message of errors and warnings if the cluster does not serve the group.
const absence = "this cluster does not serve " + api.Group +
	" in any version that has the kind: dynamic resource allocation is off"

// answerAbsent responds for a cluster that does not serve the kinds.
func (t *transport) answerAbsent(r *http.Request, target *transcode.Target) (*http.Response, error) {
	kind, resource := target.Kind()
	if t.Absent != Empty || !resource && !target.IsVersion(r.URL) {
		return t.next.RoundTrip(r)
	}
	t.log("absent", "The cluster does not serve the group: lists are empty and watches silent", "group", api.Group)
	switch {
	case !resource:
		return document(r, http.StatusOK, resourceList(target.Version)), nil
	case target.Watches(r):
		return t.silent(r, kind.Kind, target.Version), nil
	case target.Lists(r):
		return warned(document(r, http.StatusOK, emptyList(r, kind.Kind, target.Version))), nil
	case r.Method == http.MethodGet:
		return document(r, http.StatusNotFound, status(http.StatusNotFound, metav1.StatusReasonNotFound, absence)), nil
	}
	return document(r, http.StatusMethodNotAllowed,
		status(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, absence)), nil
}

func status(code int32, reason metav1.StatusReason, message string) metav1.Status {
	return metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure,
		Code:     code,
		Reason:   reason,
		Message:  message,
	}
}

func warned(resp *http.Response) *http.Response {
	resp.Header.Set("Warning", `299 - "`+absence+`"`)
	return resp
}

// nothing is the resourceVersion of empty lists: a watch from it returns all objects if the group is served later.
const nothing = "0"

// emptyList returns an empty list, or a table if the client prefers one.
func emptyList(r *http.Request, kind, version string) map[string]any {
	metadata := map[string]any{"resourceVersion": nothing}
	if transcode.WantsTable(r) {
		return map[string]any{
			"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": metadata, "rows": []any{},
			"columnDefinitions": []any{
				map[string]any{"name": "Name", "type": "string", "format": "name", "description": "", "priority": 0},
			},
		}
	}
	return map[string]any{
		"kind": kind + "List", "apiVersion": api.Group + "/" + version, "metadata": metadata,
		"items": []any{},
	}
}

func resourceList(version string) metav1.APIResourceList {
	list := metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: api.Group + "/" + version,
	}
	for _, k := range kinds.Of(version) {
		one := metav1.APIResource{
			Name: k.Resource, SingularName: k.Singular, Namespaced: k.Namespaced, Kind: k.Kind,
			Verbs: kinds.Verbs(version),
		}
		list.APIResources = append(list.APIResources, one)
		if k.Status && !slices.Contains(kinds.Views, version) {
			one.Name, one.SingularName, one.Verbs = k.Resource+"/status", "", metav1.Verbs{"get", "patch", "update"}
			list.APIResources = append(list.APIResources, one)
		}
	}
	return list
}

// silentWatch is how long a watch of nothing lasts that names no time; an API server takes five to ten minutes.
const silentWatch = 5 * time.Minute

// silent is a watch of nothing. It ends when its time is over, or when the cluster has the kind
// after all, so that its client watches that.
func (t *transport) silent(r *http.Request, kind, version string) *http.Response {
	lasts := silentWatch
	if seconds, err := strconv.Atoi(r.URL.Query().Get("timeoutSeconds")); err == nil && seconds > 0 {
		lasts = min(lasts, time.Duration(seconds)*time.Second)
	}
	ctx, cancel := context.WithTimeout(r.Context(), lasts)
	in, out := io.Pipe()
	go func() {
		defer cancel()
		defer out.Close()
		if r.URL.Query().Get("sendInitialEvents") == "true" {
			_, _ = io.WriteString(out,
				`{"type":"BOOKMARK","object":{"kind":"`+kind+`","apiVersion":"`+api.Group+"/"+version+
					`","metadata":{"resourceVersion":"`+nothing+
					`","annotations":{"k8s.io/initial-events-end":"true"}}}}`+
					"\n")
		}
		_ = wait.PollUntilContextCancel(ctx, min(t.Refresh, absentRefresh), false,
			func(ctx context.Context) (bool, error) {
				known, err := t.versions(r.WithContext(ctx), true)
				return err == nil && !known.absent(), nil
			})
	}()
	resp := warned(document(r, http.StatusOK, nil))
	resp.Header.Del("Content-Length")
	resp.ContentLength, resp.Body = -1, closing{in, cancel}
	return resp
}

// closing a watch ends it.
type closing struct {
	*io.PipeReader
	cancel func()
}

func (c closing) Close() error {
	c.cancel()
	return c.PipeReader.Close()
}
