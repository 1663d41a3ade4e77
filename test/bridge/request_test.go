//go:build e2e

package bridge

import (
	"context"
	"io"
	"net/http"
	"strings"
)

// request is a request of a client. Names in angle brackets in its path and body stand for values of the session.
type request struct {
	method, path string
	// user is the name of a user, or an invalid token. Default: the writer.
	user string
	// accept and contentType are media types. Default: JSON.
	accept, contentType string
	header              map[string]string
	body                string
	// watch is the name of a watch that later steps read.
	watch string
}

// response is the response of a server.
type response struct {
	status int
	header http.Header
	body   []byte
}

// comparedHeaders are the headers about the response. Other headers are about the connection, or have identifiers.
var comparedHeaders = []string{"Content-Type", "Warning", "Cache-Control", "Retry-After", "Allow", "Accept-Patch"}

// open sends a request. The caller reads and closes the body of the response.
func (c *cluster) open(ctx context.Context, r request) (*http.Response, error) {
	httpRequest, err := http.NewRequestWithContext(ctx, r.method, c.Config.Host+r.path, strings.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	token, isUser := c.tokens[r.user]
	if !isUser {
		token = r.user
	}
	httpRequest.Header.Set("Authorization", "Bearer "+token)
	httpRequest.Header.Set("User-Agent", "suite/1.0 (test)")
	httpRequest.Header.Set("Accept", "application/json")
	if r.accept != "" {
		httpRequest.Header.Set("Accept", r.accept)
	}
	if r.body != "" {
		httpRequest.Header.Set("Content-Type", "application/json")
	}
	if r.contentType != "" {
		httpRequest.Header.Set("Content-Type", r.contentType)
	}
	for name, value := range r.header {
		httpRequest.Header.Set(name, value)
	}
	return c.transport.RoundTrip(httpRequest)
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
