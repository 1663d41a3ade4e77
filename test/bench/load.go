package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// apiServer is the user agent of a kube-apiserver that calls webhooks.
const apiServer = "kube-apiserver-admission"

// caller sends reviews to one server, over connections that are kept.
type caller struct {
	client    *http.Client
	url       string
	userAgent string
}

func (b *bench) caller(s *server, proto string, callers int, userAgent string) *caller {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(proto == http1)
	protocols.SetHTTP2(proto == http2)
	return &caller{
		url: s.url + "/convert", userAgent: userAgent,
		client: &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: b.tls.pool}, Protocols: protocols, MaxIdleConnsPerHost: callers, DisableCompression: true,
		}},
	}
}

func (c *caller) close() { c.client.CloseIdleConnections() }

// post sends a review. Whatever is not 200 is an error.
func (c *caller) post(ctx context.Context, body []byte, answer io.Writer) (size int64, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header["Content-Type"] = []string{"application/json"}
	request.Header["User-Agent"] = []string{c.userAgent}
	response, err := c.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return 0, &statusError{code: response.StatusCode, retryAfter: response.Header.Get("Retry-After"), url: c.url}
	}
	return io.Copy(answer, response.Body)
}

// statusError is an answer that is not 200.
type statusError struct {
	code            int
	retryAfter, url string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%d %s of %s", e.code, http.StatusText(e.code), e.url)
}

// load is what came of calling a server for a while.
type load struct {
	calls     int
	wall, cpu time.Duration
	latencies []time.Duration // sorted
	answers   int64           // bytes
}

// run keeps callers busy with bodies in turn for a while, at least one call each.
func (c *caller) run(ctx context.Context, p process, callers int, bodies [][]byte, window time.Duration) (*load, error) {
	before, err := p.cpu()
	if err != nil {
		return nil, err
	}
	var (
		all   load
		mu    sync.Mutex
		wg    sync.WaitGroup
		first error
	)
	begun := time.Now()
	for n := range callers {
		wg.Go(func() {
			mine := load{latencies: make([]time.Duration, 0, 1<<14)}
			var failed error
			for i := n; ; i++ {
				sent := time.Now()
				if len(mine.latencies) > 0 && sent.Sub(begun) > window {
					break
				}
				size, err := c.post(ctx, bodies[i%len(bodies)], io.Discard)
				if err != nil {
					failed = err
					break
				}
				mine.latencies = append(mine.latencies, time.Since(sent))
				mine.answers += size
			}
			mu.Lock()
			defer mu.Unlock()
			if failed != nil {
				first = failed
			}
			all.latencies = append(all.latencies, mine.latencies...)
			all.answers += mine.answers
		})
	}
	wg.Wait()
	all.wall = time.Since(begun)
	after, err := p.cpu()
	if err != nil {
		return nil, err
	}
	if first != nil {
		return nil, first
	}
	all.cpu, all.calls = after-before, len(all.latencies)
	slices.Sort(all.latencies)
	return &all, nil
}
