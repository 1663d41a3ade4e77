package alerts

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/config"
)

// dashboard as Grafana reads it, as far as it is looked at here.
type dashboard struct {
	UID        string `json:"uid"`
	Templating struct {
		List []struct {
			Name       string `json:"name"`
			Definition string `json:"definition"`
		} `json:"list"`
	} `json:"templating"`
	Panels []struct {
		ID      int    `json:"id"`
		Title   string `json:"title"`
		Type    string `json:"type"`
		Targets []struct {
			Expr string `json:"expr"`
		} `json:"targets"`
	} `json:"panels"`
}

// Every query of the dashboards is run by a Prometheus that scrapes a kube-apiserver and both servers at work, some of it work that fails, and answers with numbers.
func TestDashboards(t *testing.T) {
	t.Parallel()
	c := start(t)
	s := c.webhooks(t)
	c.served(t)
	other := c.aggregated(t)
	busy := serve(t, []string{"GOMEMLIMIT=32MiB"}, "--max-request-bytes=2Mi") // with as many callers as it has no room for
	asked := c.prometheus(t, map[string]target{"claimbridge": s.target, "busy": busy.target, "claimbridge-apiserver": other, "kube-apiserver": c.apiServer()})
	stop := make(chan struct{})
	var load sync.WaitGroup
	defer func() { // before the servers go
		close(stop)
		load.Wait()
	}()
	load.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				c.work(t, s)
				tooManyConnections(t, busy)
			}
		}
	})
	for _, file := range []string{"../../config/dashboard/claimbridge.json", "../../config/aggregated/dashboard/claimbridge-apiserver.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var board dashboard
		if err := json.Unmarshal(text, &board); err != nil {
			t.Fatal(err)
		}
		queries, answers := 0, 0
		for _, variable := range board.Templating.List {
			if metric, ok := strings.CutPrefix(variable.Definition, "label_values("); ok {
				metric, _, _ = strings.Cut(metric, ",")
				asked(t, board.UID+", variable "+variable.Name, `group by (job) (`+metric+`)`)
				queries++
			}
		}
		for _, panel := range board.Panels {
			if panel.Type == "row" {
				continue
			}
			if len(panel.Targets) == 0 {
				t.Errorf("%s, %s: there is nothing on it", board.UID, panel.Title)
			}
			for _, target := range panel.Targets {
				expr := strings.NewReplacer("$__rate_interval", "30s", "$job", ".+").Replace(target.Expr)
				answers += asked(t, board.UID+", "+panel.Title, expr)
				queries++
			}
		}
		t.Logf("%s: %d panels and rows, %d queries, %d series in answer", board.UID, len(board.Panels), queries, answers)
	}
}

// work of all kinds, as much of it wrong as the panels are for.
func (c *cluster) work(t *testing.T, s *server) {
	c.ordinary(t)
	c.oldVersions(t)
	s.ordinary(t)
	s.convert(t, "v1", claim("v1alpha2", "", `"spec":{"resourceClassName":5}`))
	s.convert(t, "v1", junk("v1alpha2"))
	s.convert(t, "v1alpha2", big())
	s.convert(t, "v1alpha2", claim("v1", "", `"spec":{"devices":{"odd":true,"requests":[]}}`))
	s.convert(t, "v1", claim("v1alpha2", "", classic+`,"status":{"driverName":"d"}`))
	reports := s.object(t, s.convert(t, "v1alpha2", claim("v1", "", today+`,"status":{"devices":[{"driver":"d","pool":"p","device":"a","data":{"pad":""}}]}`)))
	s.convert(t, "v1", strings.Replace(reports, `"status":{}`, `"status":{"driverName":"d","allocation":{"shareable":true}}`, 1))
	if connection, err := untrusting.DialContext(t.Context(), "tcp", s.address); err == nil {
		_ = connection.Close()
	}
	// Two writers of one object, one of whom is later.
	const path = "/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims"
	body := func(writer int) string {
		return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"busy","annotations":{"writer":"%d %d"}},
			"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x"}]}}}`, writer, time.Now().UnixNano())
	}
	c.do(t.Context(), t, http.MethodPost, path, body(0))
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() { c.do(t.Context(), t, http.MethodPut, path+"/busy", body(i)) })
	}
	writers.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // a watch for as long
	defer cancel()
	c.do(ctx, t, http.MethodGet, path+"?watch=true&timeoutSeconds=1", "")
}

// aggregated API server that signs its certificates itself, where its APIServices lead.
func (c *cluster) aggregated(t *testing.T) target {
	t.Helper()
	port := freePort(t)
	text, err := config.AggregatedManifests(config.AggregatedOptions{Certificates: config.Self})
	changed := strings.ReplaceAll(string(text), "    port: 443\n  version: ", fmt.Sprintf("    port: %d\n  version: ", port))
	c.apply(t, []byte(changed), err)
	c.here(t, "claimbridge-apiserver")
	m := c.ownServer(t, port)
	for _, version := range config.AggregatedByDefault {
		await(t, version, func(ctx context.Context) bool {
			status, _ := c.do(ctx, t, http.MethodGet, "/apis/resource.k8s.io/"+version, "")
			return status == http.StatusOK
		})
	}
	return m
}

// prometheus that scrapes targets by their jobs each second. What it gives asks it until there is an answer with numbers, and says how many series that has.
func (c *cluster) prometheus(t *testing.T, targets map[string]target) (ask func(t *testing.T, what, query string) int) {
	t.Helper()
	type object = map[string]any
	var jobs []object
	for job, m := range targets {
		where, err := url.Parse(m.url)
		if err != nil {
			t.Fatal(err)
		}
		scrape := object{"job_name": job, "scheme": where.Scheme, "metrics_path": where.Path, "static_configs": []object{{"targets": []string{where.Host}}}, "tls_config": object{"insecure_skip_verify": true}}
		if m.token != "" {
			scrape["authorization"] = object{"credentials": m.token}
		}
		jobs = append(jobs, scrape)
	}
	text, err := json.Marshal(object{"global": object{"scrape_interval": "1s", "scrape_timeout": "1s"}, "scrape_configs": jobs}) // which is YAML
	if err != nil {
		t.Fatal(err)
	}
	folder, port := t.TempDir(), freePort(t)
	file := filepath.Join(folder, "prometheus.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	built, err := Set(".").Folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	run(t, filepath.Join(built, Prometheus), nil, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address="+address, "--log.level=warn")
	awaitOK(t, "http://"+address+"/-/ready", "")
	return func(t *testing.T, what, query string) (answers int) {
		t.Helper()
		var last string
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		for {
			answers, last = numbers(ctx, t, "http://"+address, query)
			if answers > 0 {
				return answers
			}
			select {
			case <-ctx.Done():
				t.Errorf("%s: no number in answer to\n%s\n%s", what, query, last)
				return 0
			case <-time.After(500 * time.Millisecond):
			}
		}
	}
}

// numbers that a query is answered with.
func numbers(ctx context.Context, t *testing.T, where, query string) (count int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, where+"/api/v1/query?query="+url.QueryEscape(query), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := insecure.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Status, Error string
		Data          struct {
			Result []struct {
				Value []any `json:"value"`
			} `json:"result"`
		} `json:"data"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return 0, err.Error()
	}
	for _, sample := range answer.Data.Result {
		if len(sample.Value) == 2 && sample.Value[1] != "NaN" {
			count++
		}
	}
	return count, answer.Status + " " + answer.Error
}
