// Package store is the cluster's own resource.k8s.io/v1, in which everything is stored.
package store

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	auditinternal "k8s.io/apiserver/pkg/apis/audit"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/metrics"
)

// Request to the store. Where it goes is made from its parts alone: host, group and version are constants, so that no request of a caller
// is sent anywhere else, and none comes back to this server.
type Request struct {
	Method      string
	Namespace   string // empty for all of them, and for resources that are in none
	Resource    string
	Name        string // empty for lists, watches and creates
	Subresource string
	Query       url.Values  // as it is
	Header      http.Header // Accept, Content-Type and User-Agent are sent, nothing else is looked at
	Body        []byte
}

// Client of the store, safe for concurrent use. It holds connections and nothing else.
type Client struct {
	base      string // https://host/apis/resource.k8s.io/v1
	transport http.RoundTripper
	as        caller.Mode
	agent     string
	failures  rate.Sometimes // lines of the log about them
}

// New client of the cluster of a configuration, which asks as one of the modes says. The agent names the program where it asks for itself.
// Certificates and tokens in files are read again when they change.
func New(config *rest.Config, as caller.Mode, agent string) (*Client, error) {
	base, rt, err := connect(config)
	if err != nil {
		return nil, err
	}
	return &Client{base: base, transport: rt, as: as, agent: agent, failures: rate.Sometimes{Interval: time.Second}}, nil
}

// AsCaller sends a request in the name of the user of ctx, a context of a request to this server, for as long as ctx lasts. The caller of
// AsCaller closes the body of the answer, which may have any status but 401.
//
// The error is one of the API, to be answered as it is: 503 with Retry-After when the store does not answer or does not know this server,
// 504 when ctx ended first or the store broke off after a write was sent, which may have been made; 400 for a name that no path can have, and those of [caller.Mode.As].
func (c *Client) AsCaller(ctx context.Context, r Request) (*http.Response, error) {
	rt, err := c.as.As(ctx, r.Method, c.transport)
	if err != nil {
		return nil, err
	}
	header := http.Header{"User-Agent": {r.Header.Get("User-Agent")}} // the default of fieldManager is made from it; an empty one is not sent
	for _, name := range []string{"Accept", "Content-Type"} {
		if value := r.Header.Get(name); value != "" {
			header.Set(name, value)
		}
	}
	return c.send(ctx, rt, r, header)
}

// Live reads the object of a request, whatever else the request says: without its subresource, body and query, as JSON, and with the
// server's own right, since its caller may be allowed to write and not to read. Nothing of the answer may be shown to them but what they
// wrote. Cached takes what the API server has in memory, for a request to etcd less: that may be older, or not there yet. Errors are as for
// AsCaller.
func (c *Client) Live(ctx context.Context, r Request, cached bool) (*http.Response, error) {
	live := Request{Method: http.MethodGet, Namespace: r.Namespace, Resource: r.Resource, Name: r.Name}
	if cached {
		live.Query = url.Values{"resourceVersion": {"0"}}
	}
	return c.send(ctx, c.transport, live, http.Header{"User-Agent": {c.agent}, "Accept": {"application/json"}})
}

func (c *Client) send(ctx context.Context, rt http.RoundTripper, r Request, header http.Header) (*http.Response, error) {
	address, err := c.address(r)
	if err != nil {
		return nil, err
	}
	following, sent := followed(ctx)
	req, err := http.NewRequestWithContext(following, r.Method, address, bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	if id := audit.GetAuditIDTruncated(ctx); id != "" {
		header.Set(auditinternal.HeaderAuditID, id) // one ID in the audit logs of the aggregator, of this server and of the store
	}
	req.Header = header
	timer := metrics.TimerOf(ctx)
	begun := time.Now()
	resp, err := rt.RoundTrip(req)
	timer.Since(begun)
	if err != nil {
		metrics.Stored(r.Method, 0)
		return nil, c.unanswered(ctx, err, sent.Load() && r.Method != http.MethodGet)
	}
	metrics.Stored(r.Method, resp.StatusCode)
	if resp.StatusCode == http.StatusUnauthorized {
		_ = resp.Body.Close()
		return nil, c.unknownHere()
	}
	resp.Body = timer.Body(resp.Body)
	return resp, nil
}

func (c *Client) complain(err error, message string) {
	c.failures.Do(func() { klog.ErrorS(err, message) })
}
