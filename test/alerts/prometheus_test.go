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

// prometheus that scrapes targets each second, at the address where it is asked.
type prometheus string

// prometheus of targets by their jobs, which are the names of their instances too.
func (c *cluster) prometheus(t *testing.T, targets map[string]target) prometheus {
	t.Helper()
	type object = map[string]any
	var jobs []object
	for job, m := range targets {
		where := must.Get(url.Parse(m.url))(t)
		scrape := object{
			"job_name":       job,
			"scheme":         where.Scheme,
			"metrics_path":   where.Path,
			"tls_config":     object{"insecure_skip_verify": true},
			"static_configs": []object{{"targets": []string{where.Host}, "labels": object{"instance": job}}},
		}
		if m.token != "" {
			scrape["authorization"] = object{"credentials": m.token}
		}
		jobs = append(jobs, scrape)
	}
	// which is YAML
	text, err := json.Marshal(object{
		"global":         object{"scrape_interval": "1s", "scrape_timeout": "1s"},
		"scrape_configs": jobs,
	})
	if err != nil {
		t.Fatal(err)
	}
	folder, port := t.TempDir(), plane.Port(t)
	file := filepath.Join(folder, "prometheus.yaml")
	must.Do(t, os.WriteFile(file, text, 0o600))
	program := programs.Tool(t, programs.Prometheus)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	run(t, program, nil, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(folder, "data"),
		"--web.listen-address="+address, "--log.level=warn")
	awaitOK(t, "http://"+address+"/-/ready")
	return prometheus("http://" + address)
}

// result is a series in an answer: its labels, and its numbers by second.
type result struct {
	Metric map[string]string `json:"metric"`
	Value  *point            `json:"value"`  // of a query
	Values []point           `json:"values"` // of a query over some time
}

// point at a time, in seconds.
type point struct{ at, number float64 }

func (s *point) UnmarshalJSON(text []byte) error {
	var pair [2]any
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	at, _ := pair[0].(float64)
	number, _ := pair[1].(string)
	value, err := strconv.ParseFloat(number, 64)
	*s = point{at, value}
	return err
}

// answered is what a query is answered with until there is one with numbers.
func (p prometheus) answered(t *testing.T, what, query string) (all []result) {
	t.Helper()
	await.NoError(t, what, func() error {
		results, err := p.get(t.Context(), "query", url.Values{"query": {query}})
		for _, r := range results {
			if r.Value != nil && !math.IsNaN(r.Value.number) {
				all = append(all, r)
			}
		}
		if len(all) == 0 {
			return errors.Join(errors.New("no number in answer to "+query), err)
		}
		return nil
	})
	return all
}

// over some time up to now, a number each step.
func (p prometheus) over(t *testing.T, query string, span, step time.Duration) []result {
	t.Helper()
	seconds := func(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
	now := time.Now()
	results, err := p.get(t.Context(), "query_range", url.Values{
		"query": {query}, "start": {seconds(now.Add(-span))}, "end": {seconds(now)}, "step": {step.String()},
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return results
}

func (p prometheus) get(ctx context.Context, path string, asked url.Values) ([]result, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, string(p)+"/api/v1/"+path+"?"+asked.Encode(),
		http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := insecure.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Status, Error string
		Data          struct{ Result []result }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Status != "success" {
		return nil, fmt.Errorf("%s: %s", answer.Status, answer.Error)
	}
	return answer.Data.Result, nil
}
