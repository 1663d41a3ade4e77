package transcode

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Cluster is where translated requests are sent.
type Cluster struct {
	Next http.RoundTripper
	// Version is the version that the cluster serves.
	Version string
}

// RoundTrip translates a request for a target in another version, sends it, and translates the response. It returns an
// error only if the transport does. Rejected requests get a response, as from an API server.
func (c Cluster) RoundTrip(r *http.Request, t Target) (*http.Response, error) {
	if t.isWatchPath {
		err := apierrors.NewBadRequest("the bridge does not support paths with /watch/: use the parameter watch=true")
		return statusResponse(r, err.Status()), nil
	}
	if !t.isTranslated(r.Method) {
		sent := r.Clone(r.Context())
		sent.URL = c.servedURL(r.URL, t)
		return c.Next.RoundTrip(sent)
	}
	if r.Body != nil {
		defer r.Body.Close()
	}
	resp, err := c.translate(r, t)
	var rejected apierrors.APIStatus
	if errors.As(err, &rejected) {
		return statusResponse(r, rejected.Status()), nil
	}
	return resp, err
}

func (c Cluster) translate(r *http.Request, t Target) (*http.Response, error) {
	x := translation{kind: t.Kind.Kind, requested: t.Version, served: c.Version}
	if _, ok := AcceptedJSON(r.Header); !ok {
		return nil, notAcceptable("the bridge returns only %s: add it to the Accept header", runtime.ContentTypeJSON)
	}
	switch r.Method {
	case http.MethodPatch:
		return c.patch(r, t, x)
	case http.MethodPost, http.MethodPut:
		object, err := x.readObject(r)
		if err != nil {
			return nil, err
		}
		if object, err = x.toServed(object); err != nil {
			return nil, err
		}
		return c.send(c.newRequest(r, t, r.Method, object, runtime.ContentTypeJSON), t, x)
	case http.MethodDelete: // the options are the same in all versions
		body, err := readBody(r)
		if err != nil {
			return nil, err
		}
		return c.send(c.newRequest(r, t, r.Method, body, r.Header.Get("Content-Type")), t, x)
	}
	if !t.IsWatch(r) {
		return c.send(c.newRequest(r, t, r.Method, nil, ""), t, x)
	}
	if r.Header.Get("Upgrade") != "" {
		return nil, badRequest("the bridge does not support watches by WebSocket: send a watch request without an " +
			"Upgrade header")
	}
	resp, err := c.Next.RoundTrip(c.newRequest(r, t, r.Method, nil, ""))
	if err != nil {
		return nil, err
	}
	return x.watchResponse(resp)
}

// send sends a request and translates the response.
func (c Cluster) send(sent *http.Request, t Target, x translation) (*http.Response, error) {
	resp, err := c.Next.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	isList := t.IsCollection() && sent.Method != http.MethodPost
	return x.response(resp, isList)
}

// bodyHeaders are about the body of a request or its response, which the bridge replaces.
var bodyHeaders = []string{
	"Accept", "Accept-Encoding", "Content-Encoding", "Content-Type", "Content-Length", "If-None-Match",
	"If-Modified-Since",
}

// newRequest returns a request for a target in the served version, with the client's own parameters and credentials.
func (c Cluster) newRequest(r *http.Request, t Target, method string, body []byte, contentType string) *http.Request {
	sent := r.Clone(r.Context())
	sent.Method = method
	sent.URL = c.servedURL(r.URL, t)
	sent.URL.RawQuery = servedQuery(r.URL.Query(), method)
	accept, _ := AcceptedJSON(r.Header)
	for _, name := range bodyHeaders {
		sent.Header.Del(name)
	}
	sent.Header.Set("Accept", accept)
	if contentType != "" {
		sent.Header.Set("Content-Type", contentType)
	}
	sent.ContentLength = int64(len(body))
	sent.TransferEncoding = nil
	sent.Body = http.NoBody
	sent.GetBody = nil
	if len(body) > 0 {
		sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		sent.Body, _ = sent.GetBody()
	}
	return sent
}

// servedURL returns the same URL with the served version in its path.
func (c Cluster) servedURL(u *url.URL, t Target) *url.URL {
	begin := t.Prefix + GroupPath + "/"
	served := *u
	served.RawPath = begin + c.Version + strings.TrimPrefix(u.EscapedPath(), begin+t.Version)
	served.Path, _ = url.PathUnescape(served.RawPath) // it was valid before
	return &served
}

// servedQuery returns the parameters of a request to the cluster. The API server rejects an unknown field, instead of
// dropping it, unless the client requests that it ignores them. Responses are compact.
func servedQuery(query url.Values, method string) string {
	query.Set("pretty", "false")
	validation := query.Get("fieldValidation")
	isWrite := method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
	if isWrite && (validation == "" || validation == metav1.FieldValidationWarn) {
		query.Set("fieldValidation", metav1.FieldValidationStrict)
	}
	return query.Encode()
}
