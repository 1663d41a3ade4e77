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

// Translator translates requests for versions that a cluster does not serve.
type Translator struct {
	// Next sends requests to the cluster.
	Next http.RoundTripper
	// ServedVersion is the version that requests are translated to.
	ServedVersion string
}

// Translate translates a request for a target in another version, sends it, and translates the response. It returns an
// error if Next fails, the client's body cannot be read ([ErrRequestBody]), or the cluster's response cannot be
// converted. A request that the bridge rejects gets a response with a Status, as from an API server.
func (t Translator) Translate(r *http.Request, target Target) (*http.Response, error) {
	if target.unsupported != "" {
		CloseBody(r)
		err := apierrors.NewBadRequest("the bridge does not support " + target.unsupported)
		return StatusResponse(r, err.Status()), nil
	}
	if !target.isTranslated(r.Method) {
		forwarded := r.Clone(r.Context())
		forwarded.URL = t.servedURL(r.URL, target)
		return t.Next.RoundTrip(forwarded)
	}
	defer CloseBody(r)
	resp, err := exchange{
		Translator:    t,
		clientRequest: r,
		target:        target,
		versionPair: versionPair{
			kind: target.Resource.Kind, requested: target.Version, served: t.ServedVersion,
		},
	}.do()
	var statusErr apierrors.APIStatus
	if errors.As(err, &statusErr) {
		return StatusResponse(r, statusErr.Status()), nil
	}
	return resp, err
}

// CloseBody closes the body of a request that is not forwarded: a RoundTripper must always close it.
func CloseBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}

// exchange is the translation of one request and its response.
type exchange struct {
	Translator
	versionPair

	clientRequest *http.Request
	target        Target
}

func (e exchange) do() (*http.Response, error) {
	r := e.clientRequest
	if _, ok := AcceptedJSON(r.Header); !ok {
		return nil, notAcceptable("the bridge returns only %s: add it to the Accept header", runtime.ContentTypeJSON)
	}
	switch r.Method {
	case http.MethodPatch:
		return e.patch()
	case http.MethodPost, http.MethodPut:
		object, err := e.readObject(r)
		if err != nil {
			return nil, err
		}
		if object, err = e.toServed(object); err != nil {
			return nil, err
		}
		return e.send(e.newRequest(r.Method, object, runtime.ContentTypeJSON))
	case http.MethodDelete: // the options are the same in all versions
		body, err := readBody(r)
		if err != nil {
			return nil, err
		}
		return e.send(e.newRequest(r.Method, body, r.Header.Get("Content-Type")))
	}
	if !e.target.IsWatch(r) {
		return e.send(e.newRequest(r.Method, nil, ""))
	}
	if r.Header.Get("Upgrade") != "" {
		return nil, badRequest("the bridge does not support watches by WebSocket: send a watch request without an " +
			"Upgrade header")
	}
	resp, err := e.Next.RoundTrip(e.newRequest(r.Method, nil, ""))
	if err != nil {
		return nil, err
	}
	return e.watchResponse(resp)
}

// send sends a request to the cluster, and translates the response.
func (e exchange) send(r *http.Request) (*http.Response, error) {
	resp, err := e.Next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	isList := e.target.IsCollection() && r.Method != http.MethodPost
	return e.translateResponse(resp, isList)
}

// bodyHeaders are the request headers that describe the request body or the response body. The bridge replaces both
// bodies, so it sets these headers itself.
var bodyHeaders = []string{
	"Accept", "Accept-Encoding", "Content-Encoding", "Content-Type", "Content-Length", "If-None-Match",
	"If-Modified-Since",
}

// newRequest returns a request for the target in the served version, with the client's credentials, the parameters of
// [servedQuery], and a body.
func (e exchange) newRequest(method string, body []byte, contentType string) *http.Request {
	r := e.clientRequest.Clone(e.clientRequest.Context())
	r.Method = method
	r.URL = e.servedURL(e.clientRequest.URL, e.target)
	r.URL.RawQuery = servedQuery(e.clientRequest.URL.Query(), method)
	accept, _ := AcceptedJSON(e.clientRequest.Header)
	for _, name := range bodyHeaders {
		r.Header.Del(name)
	}
	r.Header.Set("Accept", accept)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	r.ContentLength = int64(len(body))
	r.TransferEncoding = nil
	r.Body = http.NoBody
	r.GetBody = nil
	if len(body) > 0 {
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		r.Body, _ = r.GetBody()
	}
	return r
}

// servedURL returns the URL with the served version in its path.
func (t Translator) servedURL(u *url.URL, target Target) *url.URL {
	group := target.Prefix + GroupPath + "/"
	served := *u
	served.RawPath = group + t.ServedVersion + strings.TrimPrefix(u.EscapedPath(), group+target.Version)
	served.Path, _ = url.PathUnescape(served.RawPath) // it was valid before
	return &served
}

// servedQuery returns the query of a request to the cluster. It requests strict field validation, so that the API
// server rejects unknown fields instead of dropping them, unless the client set it to Ignore. It requests compact JSON.
func servedQuery(query url.Values, method string) string {
	query.Set("pretty", "false")
	validation := query.Get("fieldValidation")
	isWrite := method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
	if isWrite && (validation == "" || validation == metav1.FieldValidationWarn) {
		query.Set("fieldValidation", metav1.FieldValidationStrict)
	}
	return query.Encode()
}
