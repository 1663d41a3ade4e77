package webhook

import (
	"io"
	"net/http"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/metrics"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// newServer for a test, of which nothing is printed.
func newServer(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Logger.GetSink() == nil {
		o.Logger = reviews.NewLogger(io.Discard)
	}
	return must.Get(New(o))(t)
}

// do sends one request over the network.
func do(client *http.Client, r *http.Request) (reviews.Response, error) {
	response, err := client.Do(r)
	if err != nil {
		return reviews.Response{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return reviews.Response{
		Code: response.StatusCode, Proto: response.Proto, Header: response.Header, Close: response.Close,
		Body: string(body),
	}, err
}

func get(t testing.TB, client *http.Client, url string) reviews.Response {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil))(t)
	return must.Get(do(client, r))(t)
}

// send posts a body over the network; it may be called from any goroutine.
func send(client *http.Client, url string, body io.Reader) (reviews.Response, error) {
	r, err := http.NewRequest(http.MethodPost, url, body)
	if err != nil {
		return reviews.Response{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	return do(client, r)
}

// serve one request without a network.
func serve(s *Server, r *http.Request) reviews.Response { return reviews.Serve(s.Handler(), r) }

// gather the metrics of a server.
func gather(t testing.TB, s *Server) map[string]float64 {
	t.Helper()
	return metrics.Gather(t, s.Collector()).Values()
}
