//go:build e2e

package alerts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// prometheus is the URL of a running Prometheus.
type prometheus string

// startPrometheus starts a Prometheus that scrapes targets each second. The keys are jobs and also instances.
func (c *cluster) startPrometheus(t *testing.T, targets map[string]target) prometheus {
	t.Helper()
	type object = map[string]any
	var jobs []object
	for job, target := range targets {
		location := must.Get(url.Parse(target.url))(t)
		scrape := object{
			"job_name":       job,
			"scheme":         location.Scheme,
			"metrics_path":   location.Path,
			"tls_config":     object{"insecure_skip_verify": true},
			"static_configs": []object{{"targets": []string{location.Host}, "labels": object{"instance": job}}},
		}
		if target.token != "" {
			scrape["authorization"] = object{"credentials": target.token}
		}
		jobs = append(jobs, scrape)
	}
	configuration := must.Get(json.Marshal(object{ // JSON is YAML
		"global":         object{"scrape_interval": "1s", "scrape_timeout": "1s"},
		"scrape_configs": jobs,
	}))(t)
	folder, port := t.TempDir(), plane.Port(t)
	file := filepath.Join(folder, "prometheus.yaml")
	must.Do(t, os.WriteFile(file, configuration, 0o600))
	program := programs.Tool(t, programs.Prometheus)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	run(t, program, nil, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(folder, "data"),
		"--web.listen-address="+address, "--log.level=warn")
	awaitOK(t, "http://"+address+"/-/ready")
	return prometheus("http://" + address)
}

// result is a series in a response.
type result struct {
	Metric map[string]string `json:"metric"` // its labels
	Value  *point            `json:"value"`  // of an instant query
	Values []point           `json:"values"` // of a range query
}

// point is the value of a series at a Unix time in seconds.
type point struct{ timestamp, value float64 }

// UnmarshalJSON reads a pair of a number and a string, such as [1718000000.123, "0.5"].
func (p *point) UnmarshalJSON(data []byte) error {
	var pair [2]any
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	timestamp, _ := pair[0].(float64)
	text, _ := pair[1].(string)
	value, err := strconv.ParseFloat(text, 64)
	*p = point{timestamp, value}
	return err
}

// awaitNumbers repeats an instant query until a result is a number, and returns the results that are numbers.
func (p prometheus) awaitNumbers(t *testing.T, what, query string) (numbers []result) {
	t.Helper()
	await.NoError(t, what, func() error {
		results, err := p.get(t.Context(), "query", url.Values{"query": {query}})
		for _, r := range results {
			if r.Value != nil && !math.IsNaN(r.Value.value) {
				numbers = append(numbers, r)
			}
		}
		if len(numbers) == 0 {
			return errors.Join(errors.New("the response has no number: "+query), err)
		}
		return nil
	})
	return numbers
}

// queryRange sends a query for the time up to now, with a value each step.
func (p prometheus) queryRange(t *testing.T, query string, duration, step time.Duration) []result {
	t.Helper()
	seconds := func(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
	now := time.Now()
	results, err := p.get(t.Context(), "query_range", url.Values{
		"query": {query}, "start": {seconds(now.Add(-duration))}, "end": {seconds(now)}, "step": {step.String()},
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return results
}

// get sends a request to a path of the Prometheus API.
func (p prometheus) get(ctx context.Context, path string, parameters url.Values) ([]result, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, string(p)+"/api/v1/"+path+"?"+parameters.Encode(),
		http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := insecureClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var body struct {
		Status, Error string
		Data          struct{ Result []result }
	}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		return nil, err
	}
	if body.Status != "success" {
		return nil, fmt.Errorf("%s: %s", body.Status, body.Error)
	}
	return body.Data.Result, nil
}
