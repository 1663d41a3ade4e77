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

// recording has the metrics of servers by scrape, with simulated times, so that a day of scrapes takes less time.
type recording struct {
	began   time.Time
	step    time.Duration // of that clock
	scrapes int
	values  map[string][]string
}

func newRecording(step time.Duration) *recording {
	return &recording{began: time.Now(), step: step, values: map[string][]string{}}
}

// named are the metrics that the rules ask for.
var named = regexp.MustCompile(`^(?:claimbridge_|apiserver_crd_conversion_webhook_|apiserver_admission_webhook_)`)

// scrape all targets at one moment.
func (r *recording) scrape(t *testing.T, targets ...target) {
	t.Helper()
	for _, target := range targets {
		for line := range strings.Lines(target.metrics(t)) {
			if !named.MatchString(line) {
				continue
			}
			end := strings.LastIndexByte(line, ' ')
			name, number := line[:end], must.Get(strconv.ParseFloat(strings.TrimSpace(line[end:]), 64))(t)
			if math.IsNaN(number) || math.IsInf(number, 0) {
				continue
			}
			for len(r.values[name]) < r.scrapes { // it was not there before
				r.values[name] = append(r.values[name], "_")
			}
			r.values[name] = append(r.values[name], strconv.FormatFloat(number, 'f', -1, 64))
		}
	}
	r.scrapes++
	for name, values := range r.values {
		if len(values) < r.scrapes { // it is gone
			r.values[name] = append(values, "_")
		}
	}
}

// series as promtool reads them.
func (r *recording) series() (all []series) {
	for _, name := range slices.Sorted(maps.Keys(r.values)) {
		all = append(all, series{name, strings.Join(r.values[name], " ")})
	}
	return all
}

// at is the time of a scrape.
func (r *recording) at(scrape int) string { return (time.Duration(scrape) * r.step).String() }

// target is a server that has metrics.
type target struct{ url, token string }

//nolint:gosec // whom a test has started
var insecure = &http.Client{
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
	response := must.Get(insecure.Do(m.request(t)))(t)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v\n%.300s", m.url, response.Status, err, body)
	}
	return string(body)
}

// awaitMetric of a name to be 1.
func awaitMetric(t *testing.T, m target, name string) {
	t.Helper()
	await.NoError(t, name, func() error {
		families, err := metrics.Scrape(insecure, m.request(t))
		if err == nil && families.Sum(name) == 0 {
			err = errors.New("it is 0")
		}
		return err
	})
}
