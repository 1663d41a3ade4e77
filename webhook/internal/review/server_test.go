package review

import (
	"cmp"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/plainlog"
	"github.com/claimbridge/claimbridge/test/reviews"
	kit "github.com/claimbridge/claimbridge/test/testkit/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

// server of the handlers, each counted, as package webhook puts them together.
type server struct {
	*Handlers
	http.Handler
	options Options
}

// newServer for a test, of which nothing is printed.
func newServer(t testing.TB, o Options) *server {
	t.Helper()
	if len(o.Groups) == 0 {
		o.Groups = Groups{api.Group}
	}
	if o.Logger.GetSink() == nil {
		o.Logger = reviews.NewLogger(io.Discard)
	}
	o.Logger = plainlog.New(o.Logger)
	o.MaxInFlightBytes = cmp.Or(o.MaxInFlightBytes, 128<<20)
	o.MaxRequestBytes = cmp.Or(o.MaxRequestBytes, 32<<20)
	o.Draining, o.Metrics = &atomic.Bool{}, metrics.New()
	s := &server{New(o), nil, o}
	mux := http.NewServeMux()
	for endpoint, handler := range map[string]http.Handler{
		"convert": s.Converter, "validate": s.Validator, "default": s.Defaulter,
	} {
		mux.Handle("/"+endpoint, o.Metrics.Instrument(endpoint, o.Logger, handler))
	}
	mux.Handle("/", o.Metrics.Instrument("other", o.Logger, http.NotFoundHandler()))
	s.Handler = mux
	return s
}

// serve one request without a network.
func serve(s *server, r *http.Request) reviews.Response { return reviews.Serve(s, r) }

// gather the metrics of a server.
func gather(t testing.TB, s *server) map[string]float64 {
	t.Helper()
	return kit.Gather(t, s.options.Metrics).Values()
}

// counts checks some metrics of a server, whose names begin with claimbridge_.
func counts(t testing.TB, s *server, want map[string]float64) {
	t.Helper()
	metrics := gather(t, s)
	for name, want := range want {
		if got := metrics["claimbridge_"+name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
