//go:build e2e

package bridge

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
)

// request as a client sends it. In path, body and the values of headers names in angle brackets
// stand for what a session knows.
type request struct {
	method, path string
	// as a user, by the name of its token; empty: the writer.
	as string
	// accept and content are media types; empty: JSON.
	accept, content string
	header          map[string]string
	body            string
	// watch is the name under which the answer stays open, to be read by later steps.
	watch string
}

// answer of a server.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// told are the headers that say something of the answer; others are of the connection, or have identifiers.
var told = []string{"Content-Type", "Warning", "Cache-Control", "Retry-After", "Allow", "Accept-Patch"}

var transports sync.Map // by cluster

// transport to a cluster, of HTTP/2 and with as many streams as it takes.
func (c *cluster) transport() (http.RoundTripper, error) {
	if made, ok := transports.Load(c); ok {
		return made.(http.RoundTripper), nil
	}
	made, err := rest.TransportFor(rest.AnonymousClientConfig(c.Config))
	if err != nil {
		return nil, err
	}
	if c.wrap != nil {
		made = c.wrap(made)
	}
	kept, _ := transports.LoadOrStore(c, made)
	return kept.(http.RoundTripper), nil
}

// open a request: the body of the answer is the caller's to read and close.
func (c *cluster) open(ctx context.Context, r request) (*http.Response, error) {
	transport, err := c.transport()
	if err != nil {
		return nil, err
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, c.Config.Host+r.path, strings.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	token, ok := c.tokens[r.as]
	if !ok {
		token = r.as
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
	if r.content != "" {
		sent.Header.Set("Content-Type", r.content)
	}
	for name, value := range r.header {
		sent.Header.Set(name, value)
	}
	return transport.RoundTrip(sent)
}

// send a request and read all of its answer.
func (c *cluster) send(ctx context.Context, r request) (*answer, error) {
	response, err := c.open(ctx, r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return &answer{status: response.StatusCode, header: response.Header, body: body}, err
}
