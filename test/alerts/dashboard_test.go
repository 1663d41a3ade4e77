//go:build e2e

package alerts

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var pictures = flag.Bool("pictures", false,
	"draw the dashboard again in docs/images, from three minutes of metrics")

// dashboard has the fields of the Grafana dashboard that the tests read.
type dashboard struct {
	UID        string `json:"uid"`
	Title      string `json:"title"`
	Templating struct {
		List []struct {
			Name       string `json:"name"`
			Definition string `json:"definition"`
			AllValue   string `json:"allValue"`
		} `json:"list"`
	} `json:"templating"`
	Panels []panel `json:"panels"`
}

type panel struct {
	Title   string `json:"title"`
	Type    string `json:"type"`
	GridPos struct {
		H, W, X, Y int
	} `json:"gridPos"`
	FieldConfig struct {
		Defaults struct {
			Unit string `json:"unit"`
		} `json:"defaults"`
	} `json:"fieldConfig"`
	Targets []struct {
		Expr         string `json:"expr"`
		LegendFormat string `json:"legendFormat"`
	} `json:"targets"`
}

const (
	pictureFile = "../../docs/images/dashboard-webhook.svg"
	// jobPattern is a regular expression that matches the jobs of the webhook servers in the test.
	jobPattern = "(busy|claimbridge)"
)

func readDashboard(t *testing.T) (board dashboard) {
	t.Helper()
	text := must.Get(os.ReadFile("../../config/dashboard/claimbridge.json"))(t)
	must.Do(t, json.Unmarshal(text, &board))
	return board
}

// TestDashboards starts a Prometheus that scrapes a kube-apiserver and two webhook servers under load, and checks that
// every query of the dashboard returns numbers. Some of the requests fail on purpose.
func TestDashboards(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	s := c.installWebhooks(t)
	c.awaitWebhooks(t)
	busy := serve(t, []string{"GOMEMLIMIT=32MiB"}) // its clients use up the memory for request bodies
	prom := c.startPrometheus(t, map[string]target{
		"claimbridge": s.target, "busy": busy.target, "kube-apiserver": c.apiServer(),
	})
	stop := make(chan struct{})
	var load sync.WaitGroup
	defer func() { // before the servers stop
		close(stop)
		load.Wait()
	}()
	load.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				c.generateLoad(t, s)
				fillBodyMemory(t, busy)
			}
		}
	})
	start := time.Now()
	board := readDashboard(t)
	prom.checkVariables(t, board)
	queries, series := 0, 0
	for _, p := range board.Panels {
		if p.Type == "row" {
			continue
		}
		if len(p.Targets) == 0 {
			t.Errorf("panel %q has no queries", p.Title)
		}
		for _, target := range p.Targets {
			series += len(prom.awaitNumbers(t, p.Title, query(target.Expr)))
			queries++
		}
	}
	t.Logf("%d panels and rows, %d queries, %d series returned", len(board.Panels), queries, series)
	if *pictures {
		time.Sleep(time.Until(start.Add(graphDuration + rateInterval))) // the first rate needs an interval before it
		prom.draw(t, board)
	}
}

// rateInterval replaces $__rate_interval. It is at least what Grafana computes for a scrape interval of one second.
const rateInterval = 30 * time.Second

// query returns a query with its variables replaced, as Grafana sends it.
func query(expr string) string {
	return strings.NewReplacer("$__rate_interval", rateInterval.String(), "$job", jobPattern).Replace(expr)
}

// checkVariables checks that the variables of the dashboard find exactly the jobs of the webhook servers. By default
// the dashboard shows all jobs that its variable finds. It must not show other jobs, which have process metrics too.
func (p prometheus) checkVariables(t *testing.T, board dashboard) {
	t.Helper()
	for _, variable := range board.Templating.List {
		metric, ok := strings.CutPrefix(variable.Definition, "label_values(")
		if !ok {
			continue
		}
		metric, _, _ = strings.Cut(metric, ",")
		what := "variable " + variable.Name
		await.NoError(t, what+" finds "+jobPattern, func() error {
			var jobs []string
			for _, r := range p.awaitNumbers(t, what, `group by (job) (`+metric+`)`) {
				jobs = append(jobs, r.Metric["job"])
			}
			slices.Sort(jobs)
			if got := "(" + strings.Join(jobs, "|") + ")"; got != jobPattern {
				return fmt.Errorf("%s: got jobs %s, want %s", what, got, jobPattern)
			}
			return nil
		})
		if variable.AllValue != "" {
			t.Errorf("%s: got custom all value %q, want none: it would select jobs that the variable does not find",
				what, variable.AllValue)
		}
	}
}

// generateLoad sends requests of all kinds, including requests with the failures that panels show.
func (c *cluster) generateLoad(t *testing.T, s *server) {
	c.sendNormalRequests(t)
	s.sendNormalRequests(t)
	s.convert(t, "v1", claim("v1alpha2", "", `"spec":{"resourceClassName":5}`))
	s.convert(t, "v1", claimWithInvalidAnnotation("v1alpha2"))
	s.convert(t, "v1alpha2", oversizedClaim())
	s.convert(t, "v1alpha2", claim("v1", "", `"spec":{"devices":{"odd":true,"requests":[]}}`))
	s.convert(t, "v1", claim("v1alpha2", "", classicSpec+`,"status":{"driverName":"d"}`))
	s.convert(t, "v1",
		claim("v1alpha2", `,"annotations":{"claimbridge.dev/v1-status":"{\"uid\":\"another\",\"status\":{}}"}`,
			classicSpec+`,"status":{"driverName":"d"}`))
	if connection, err := dialerWithoutCA.DialContext(t.Context(), "tcp", s.address); err == nil {
		_ = connection.Close()
	}
}
