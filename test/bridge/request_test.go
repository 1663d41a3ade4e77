//go:build e2e

package bridge

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"k8s.io/client-go/rest"
)

// request of a client. Names in angle brackets in its path and body stand for values of the session.
type request struct {
	method, path string
	// user is the name of a token. Default: the writer.
	user string
	// accept and contentType are media types. Default: JSON.
	accept, contentType string
	header              map[string]string
	body                string
	// watch is the name of a watch that later steps read.
	watch string
}

// response of a server.
type response struct {
	status int
	header http.Header
	body   []byte
}

// comparedHeaders are about the response. Others are about the connection, or have identifiers.
var comparedHeaders = []string{"Content-Type", "Warning", "Cache-Control", "Retry-After", "Allow", "Accept-Patch"}

// transport returns the transport of all requests to a cluster, which shares connections of HTTP/2.
func (c *cluster) transport() (http.RoundTripper, error) {
	var err error
	c.connect.Do(func() {
		c.shared, err = rest.TransportFor(rest.AnonymousClientConfig(c.Config))
		if err == nil && c.wrap != nil {
			c.shared = c.wrap(c.shared)
		}
	})
	if c.shared == nil {
		return nil, errors.Join(errors.New("no transport"), err)
	}
	return c.shared, nil
}

// open sends a request. The caller reads and closes the body of the response.
func (c *cluster) open(ctx context.Context, r request) (*http.Response, error) {
	transport, err := c.transport()
	if err != nil {
		return nil, err
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, c.Config.Host+r.path, strings.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	token, ok := c.tokens[r.user]
	if !ok {
		token = r.user
	}
	sent.Header.Set("Authorization", "Bearer "+token)
	sent.Header.Set("User-Agent", "suite/1.0 (test)")
	sent.Header.Set("Accept", "application/json")
	if r.accept != "" {
		sent.Header.Set("Accept", r.accept)
	}
	if r.body != "" {
		sent.Header.Set("Content-Type", "application/json")
	}
	if r.contentType != "" {
		sent.Header.Set("Content-Type", r.contentType)
	}
	for name, value := range r.header {
		sent.Header.Set(name, value)
	}
	return transport.RoundTrip(sent)
}

// send sends a request and reads its response.
func (c *cluster) send(ctx context.Context, r request) (*response, error) {
	resp, err := c.open(ctx, r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return &response{status: resp.StatusCode, header: resp.Header, body: body}, err
}
