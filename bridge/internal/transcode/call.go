package transcode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/conversion/unstructured"
)

const (
	// maxBody of a request, that of kube-apiserver.
	maxBody = 3 << 20
	// maxItems of a request, see [itemsOf]. The largest object is a slice of 128 devices with 32 attributes and
	// capacities each, and a manager for each of their fields: some 30,000 items of JSON, or 50,000 lines of YAML.
	// "{}," is built as a struct of 200 bytes, five times over.
	maxItems = 1 << 16
	// maxObject bounds one object of an answer as JSON. etcd takes 1.5 MiB a request unless told
	// otherwise, and objects are protobuf there, in which an empty field costs two bytes and an
	// escaped character one; as JSON these are some thirty and six. 16 times as much is reached by
	// no object that is not made for it.
	maxObject = 24 << 20
)

// Cluster is where requests go.
type Cluster struct {
	// Next sends a request as its caller would have sent it.
	Next http.RoundTripper
	// Version that the cluster serves, and in which it is asked.
	Version string
	// Release of the cluster, such as 1.32, for what is refused because of it.
	Release func(*http.Request) string
}

// call is one request.
type call struct {
	Cluster
	r    *http.Request
	t    Target
	kind kinds.Kind
	form form // of the answer

	warnings []string
}

// RoundTrip answers a request from the version that the cluster serves. An error is the
// transport's; what an API server would say is an answer.
func (s Cluster) RoundTrip(r *http.Request, t Target) (*http.Response, error) {
	answer := t.route(r)
	if answer == nil {
		return s.asItIs(r, t)
	}
	if r.Body != nil {
		defer r.Body.Close()
	}
	c := &call{Cluster: s, r: r, t: t, kind: t.kind}
	if !unstructured.CanConvert(c.kind.Kind, s.Version, t.Version) {
		return c.fail(apierrors.NewInternalError(fmt.Errorf("no conversion of %s from %s to %s", c.kind.Kind, s.Version,
			t.Version)))
	}
	if r.Method == http.MethodPatch {
		if _, err := c.patchType(); err != nil {
			return c.fail(err)
		}
	}
	c.warn(deprecated(c.gvk()))
	if err := c.negotiate(t.Watches(r)); err != nil {
		return c.fail(err)
	}
	if !isView(t.Version) || r.Method == http.MethodGet || r.Method == http.MethodDelete {
		resp, err := answer(c)
		if err != nil {
			return c.fail(err)
		}
		return resp, nil
	}
	return c.fail(c.readOnly())
}

// readOnly is the error for a write of a version that is a projection of the cluster's.
func (c *call) readOnly() error {
	return refusal(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, fmt.Sprintf(
		"%s is read-only in %s through this proxy: it supports get, list, watch and delete. "+
			"Convert the object to %s with 'claimbridge convert --to %s', and write it in that version",
		c.groupResource(), c.t.Version, c.Version, c.Version))
}

// toRequested converts an object of the cluster to the version of the request.
func (c *call) toRequested(object []byte) ([]byte, error) {
	return unstructured.Convert(object, c.kind.Kind, c.Version, c.t.Version)
}

// toServed converts an object of the request, or a part of one, to the version that the cluster serves.
func (c *call) toServed(object []byte) ([]byte, error) {
	converted, err := unstructured.Convert(object, c.kind.Kind, c.t.Version, c.Version)
	if err != nil {
		return nil, c.unsaid(object, err)
	}
	if converted, err = unstructured.ConvertReferences(converted, c.Version); err != nil {
		return nil, c.unsaid(object, err)
	}
	return converted, nil
}

// asItIs sends what is the same in all versions, or what none has a route for, to the version that is served.
func (s Cluster) asItIs(r *http.Request, t Target) (*http.Response, error) {
	sent := r.Clone(r.Context())
	sent.URL = s.url(r.URL, t)
	return s.Next.RoundTrip(sent)
}

// url of the same path in the version that is served: host and all else are the request's own.
func (s Cluster) url(u *url.URL, t Target) *url.URL {
	asked := *u
	begin := t.Prefix + group + "/"
	path := begin + s.Version + strings.TrimPrefix(u.EscapedPath(), begin+t.Version)
	asked.RawPath = path
	asked.Path, _ = url.PathUnescape(path) // as it was parsed
	return &asked
}

func (c *call) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: api.Group, Version: c.t.Version, Kind: c.kind.Kind}
}

func (c *call) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: api.Group, Resource: c.kind.Resource}
}

// stored is the apiVersion of what the cluster answers with.
func (c *call) stored() string { return api.Group + "/" + c.Version }

// own headers of a request are about its body and the form of its answer; all others are the caller's.
var own = []string{"Accept", "Accept-Encoding", "Content-Type", "Content-Length", "If-None-Match", "If-Modified-Since"}

// request to the cluster for what the path names, with the caller's own parameters and credentials.
func (c *call) request(method string, body []byte, contentType string) *http.Request {
	sent := c.r.Clone(c.r.Context())
	sent.Method, sent.URL = method, c.url(c.r.URL, c.t)
	query := c.r.URL.Query()
	query.Set("pretty", "false") // the layout is made here, and browsers and curl would get a pretty one by their name
	sent.URL.RawQuery = query.Encode()
	for _, name := range own {
		sent.Header.Del(name)
	}
	sent.Header.Set("Accept", c.form.accept())
	if contentType != "" {
		sent.Header.Set("Content-Type", contentType)
	}
	sent.ContentLength, sent.TransferEncoding = int64(len(body)), nil
	sent.Body, sent.GetBody = http.NoBody, nil
	if len(body) > 0 {
		sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		sent.Body, _ = sent.GetBody()
	}
	return sent
}

// with another parameter.
func with(r *http.Request, name, value string) *http.Request {
	query := r.URL.Query()
	query.Set(name, value)
	r.URL.RawQuery = query.Encode()
	return r
}

// forward a request and answer with what comes back.
func (c *call) forward(r *http.Request) (*http.Response, error) {
	resp, err := c.Next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return c.answer(resp)
}

// body of the request, if it is not too large to be parsed as a media type.
func (c *call) body(mediaType string) ([]byte, error) {
	if c.r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(c.r.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxBody:
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	}
	if itemsOf(mediaType, body) > maxItems {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("it has more than %d items", maxItems))
	}
	return body, nil
}

// get an object, its status, which is the same object, or a list.
func (c *call) get() (*http.Response, error) { return c.forward(c.request(http.MethodGet, nil, "")) }

// delete as the caller asks: an API server reads the options of any version, and the answer is what there was.
func (c *call) delete() (*http.Response, error) {
	contentType := c.r.Header.Get("Content-Type")
	body, err := c.body(contentType)
	if err != nil {
		return nil, err
	}
	return c.forward(c.request(http.MethodDelete, body, contentType))
}

// readAll of an answer that has one object.
func (c *call) readAll(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	return io.ReadAll(&bounded{from: resp.Body})
}

// bounded gives up on an object that is greater than any.
type bounded struct {
	from io.Reader
	read int // of the object
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.read >= maxObject {
		return 0, errTooBig
	}
	n, err := b.from.Read(p[:min(len(p), maxObject-b.read)])
	b.read += n
	return n, err
}

var errTooBig = errors.New("an object of the cluster exceeds " + fmt.Sprint(maxObject) + " bytes")
