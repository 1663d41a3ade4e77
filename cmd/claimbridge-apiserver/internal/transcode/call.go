package transcode

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
)

const (
	// maxBody of a request, that of kube-apiserver.
	maxBody = 3 << 20
	// maxObject bounds one object of an answer of the store as JSON. etcd takes 1.5 MiB a request unless told otherwise, and objects are
	// protobuf there, in which an empty field costs two bytes and an escaped character one; as JSON these are some thirty and six. 16 times as
	// much is reached by no object that is not made for it.
	maxObject = 24 << 20
	// maxWrite is how long a write may take with all its tries: as long as kube-apiserver gives one.
	maxWrite = 34 * time.Second
)

// call is one request.
type call struct {
	*handler
	resource
	w    http.ResponseWriter
	r    *http.Request
	info *request.RequestInfo
	name string // in the path; that of info may come from a selector
	form form   // of the answer

	outcome Outcome
	over    func() // tells it to the observer
	sent    bool   // a write has been, and may be done whatever is answered
	free    func() // gives memory for a big object back
}

func (c *call) ctx() context.Context { return c.r.Context() }

// request to the store for what the path names, with the caller's own parameters.
func (c *call) request(method string, body []byte, contentType string) store.Request {
	query := c.r.URL.Query()
	query.Set("pretty", "false") // the layout is made here, and browsers and curl would get a pretty one by their name
	header := http.Header{"Accept": {c.form.accept()}, "User-Agent": {c.r.UserAgent()}}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return store.Request{
		Method: method, Namespace: c.info.Namespace, Resource: c.Resource, Name: c.name, Subresource: c.info.Subresource,
		Query: query, Header: header, Body: body,
	}
}

// forward a request and answer with what comes back.
func (c *call) forward(r store.Request) error {
	resp, err := c.send(c.ctx(), r) //nolint:bodyclose // answer does
	if err != nil {
		return err
	}
	return c.answer(resp)
}

// send a request in the caller's name.
func (c *call) send(ctx context.Context, r store.Request) (*http.Response, error) {
	resp, err := c.store.AsCaller(ctx, r)
	c.sent = r.Method != http.MethodGet && err == nil && resp.StatusCode < http.StatusMultipleChoices
	return resp, err
}

// dryRun of a request: the store judges it and writes nothing.
func dryRun(r store.Request) store.Request {
	query := url.Values{}
	for name, values := range r.Query {
		query[name] = values
	}
	query.Set("dryRun", "All")
	r.Query = query
	return r
}

// body of the request.
func (c *call) body() ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(c.r.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxBody:
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	}
	return body, nil
}

// readAll of an answer that has one object.
func (c *call) readAll(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(&metered{from: resp.Body, room: c.room}); err != nil {
		if err = cut(err); c.sent && apierrors.IsServiceUnavailable(err) {
			err = apierrors.NewTimeoutError("the write was made, and the answer of the cluster's v1 broke off", 0)
		}
		return nil, err
	}
	return body.Bytes(), nil
}
