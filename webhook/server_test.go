package webhook

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// newServer for a test, of which nothing is printed.
func newServer(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Logger.GetSink() == nil {
		o.Logger = logTo(io.Discard)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// logTo a buffer, everything.
func logTo(w io.Writer) logr.Logger {
	return funcr.New(func(_, args string) { _, _ = io.WriteString(w, args+"\n") }, funcr.Options{Verbosity: 9})
}

// reply is an answer that was read to its end.
type reply struct {
	code   int
	proto  string
	header http.Header
	close  bool
	body   string
}

// serve one request without a network.
func serve(s *Server, r *http.Request) reply {
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return reply{code: w.Code, header: w.Header(), body: w.Body.String()}
}

// do sends one request over the network.
func do(client *http.Client, r *http.Request) (reply, error) {
	response, err := client.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Proto, response.Header, response.Close, string(body)}, err
}

func get(t testing.TB, client *http.Client, url string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := do(client, r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// send posts a body over the network; it may be called from any goroutine.
func send(client *http.Client, url string, body io.Reader) (reply, error) {
	r, err := http.NewRequest(http.MethodPost, url, body)
	if err != nil {
		return reply{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	return do(client, r)
}

func post(path, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader([]byte(body)))
	r.Header.Set("Content-Type", "application/json")
	return r
}

func decode[T any](t testing.TB, body string) T {
	t.Helper()
	var into T
	if err := json.Unmarshal([]byte(body), &into); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return into
}

// gather the metrics of a server as name{label="value",...} = value; of a histogram the count.
func gather(t testing.TB, s *Server) map[string]float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(s.Collector())
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			values[family.GetName()+labelsOf(metric)] = valueOf(metric)
		}
	}
	return values
}

func labelsOf(metric *dto.Metric) string {
	text := "{"
	for i, label := range metric.GetLabel() {
		if i > 0 {
			text += ","
		}
		text += label.GetName() + "=" + label.GetValue()
	}
	return text + "}"
}

func valueOf(metric *dto.Metric) float64 {
	switch {
	case metric.GetCounter() != nil:
		return metric.GetCounter().GetValue()
	case metric.GetGauge() != nil:
		return metric.GetGauge().GetValue()
	}
	return float64(metric.GetHistogram().GetSampleCount())
}
