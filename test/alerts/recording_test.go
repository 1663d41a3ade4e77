//go:build e2e

package alerts

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/metrics"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// recording has the metrics of servers, one value per scrape. Its clock is simulated: it advances by step at each
// scrape, so that a recording of a day takes seconds.
type recording struct {
	start   time.Time
	step    time.Duration
	scrapes int
	values  map[string][]string // by series, in the notation of promtool
}

func newRecording(step time.Duration) *recording {
	return &recording{start: time.Now(), step: step, values: map[string][]string{}}
}

// usedMetrics matches the metrics that the rules use.
var usedMetrics = regexp.MustCompile(`^(?:claimbridge_|apiserver_crd_conversion_webhook_|apiserver_admission_webhook_)`)

// scrape records the metrics of all targets at one simulated time.
func (r *recording) scrape(t *testing.T, targets ...target) {
	t.Helper()
	for _, target := range targets {
		for line := range strings.Lines(target.metrics(t)) {
			if !usedMetrics.MatchString(line) {
				continue
			}
			end := strings.LastIndexByte(line, ' ')
			name := line[:end]
			value := must.Get(strconv.ParseFloat(strings.TrimSpace(line[end:]), 64))(t)
			if math.IsNaN(value) || math.IsInf(value, 0) {
				continue
			}
			for len(r.values[name]) < r.scrapes { // the series is new
				r.values[name] = append(r.values[name], "_")
			}
			r.values[name] = append(r.values[name], strconv.FormatFloat(value, 'f', -1, 64))
		}
	}
	r.scrapes++
	for name, values := range r.values {
		if len(values) < r.scrapes { // the series ended
			r.values[name] = append(values, "_")
		}
	}
}

// series returns the series in the format of promtool.
func (r *recording) series() (all []series) {
	for _, name := range slices.Sorted(maps.Keys(r.values)) {
		all = append(all, series{name, strings.Join(r.values[name], " ")})
	}
	return all
}

// at returns the simulated time of a scrape since the start of the recording.
func (r *recording) at(scrape int) string { return (time.Duration(scrape) * r.step).String() }

// target is a metrics endpoint. The token may be empty.
type target struct{ url, token string }

//nolint:gosec // it sends requests to servers that a test started
var insecureClient = &http.Client{
	Timeout:   2 * time.Minute,
	Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
}

func (m target) request(t *testing.T) *http.Request {
	t.Helper()
	request := must.Get(http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, m.url,
		http.NoBody))(t)
	if m.token != "" {
		request.Header.Set("Authorization", "Bearer "+m.token)
	}
	return request
}

func (m target) metrics(t *testing.T) string {
	t.Helper()
	response := must.Get(insecureClient.Do(m.request(t)))(t)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v\n%.300s", m.url, response.Status, err, body)
	}
	return string(body)
}

// awaitMetric waits until the sum of a metric is not 0.
func awaitMetric(t *testing.T, m target, name string) {
	t.Helper()
	await.NoError(t, name, func() error {
		families, err := metrics.Scrape(insecureClient, m.request(t))
		if err == nil && families.Sum(name) == 0 {
			err = errors.New(name + " is 0")
		}
		return err
	})
}
