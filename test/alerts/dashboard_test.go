//go:build e2e

package alerts

import (
	"encoding/json"
	"errors"
	"flag"
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
	"draw the dashboard anew into docs/images, with what the servers do in three minutes")

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

// picture of the dashboard, and the jobs of the test that it is of.
const (
	picture = "../../docs/images/dashboard-webhook.svg"
	jobs    = "(busy|claimbridge)"
)

func readDashboard(t *testing.T) (board dashboard) {
	t.Helper()
	text := must.Get(os.ReadFile("../../config/dashboard/claimbridge.json"))(t)
	must.Do(t, json.Unmarshal(text, &board))
	return board
}

// A Prometheus that scrapes a kube-apiserver and working servers runs every query of the dashboard, and returns
// numbers. Some of the requests fail on purpose.
func TestDashboards(t *testing.T) {
	t.Parallel()
	c := start(t)
	s := c.webhooks(t)
	c.served(t)
	busy := serve(t, []string{"GOMEMLIMIT=32MiB"}) // with a client that uses up the memory for bodies
	asked := c.prometheus(t, map[string]target{
		"claimbridge": s.target, "busy": busy.target, "kube-apiserver": c.apiServer(),
	})
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
				noRoom(t, busy)
			}
		}
	})
	begun := time.Now()
	board := readDashboard(t)
	asked.findsJobs(t, board)
	queries, answers := 0, 0
	for _, p := range board.Panels {
		if p.Type == "row" {
			continue
		}
		if len(p.Targets) == 0 {
			t.Errorf("%s: there is nothing on it", p.Title)
		}
		for _, target := range p.Targets {
			answers += len(asked.answered(t, p.Title, query(target.Expr)))
			queries++
		}
	}
	t.Logf("%d panels and rows, %d queries, %d series in answer", len(board.Panels), queries, answers)
	if *pictures {
		time.Sleep(time.Until(begun.Add(span + rateInterval))) // a rate needs that much before it
		asked.draw(t, board)
	}
}

// rateInterval is what Grafana would say to scrapes each second, or more.
const rateInterval = 30 * time.Second

// query as Grafana sends it.
func query(expr string) string {
	return strings.NewReplacer("$__rate_interval", rateInterval.String(), "$job", jobs).Replace(expr)
}

// findsJobs: when the dashboard is opened all jobs are chosen, which are those that its variable
// finds, and no others, as every job has a memory and a processor.
func (p prometheus) findsJobs(t *testing.T, board dashboard) {
	t.Helper()
	for _, variable := range board.Templating.List {
		metric, ok := strings.CutPrefix(variable.Definition, "label_values(")
		if !ok {
			continue
		}
		metric, _, _ = strings.Cut(metric, ",")
		what := "variable " + variable.Name
		await.NoError(t, what+" finds "+jobs, func() error {
			var names []string
			for _, r := range p.answered(t, what, `group by (job) (`+metric+`)`) {
				names = append(names, r.Metric["job"])
			}
			slices.Sort(names)
			if got := "(" + strings.Join(names, "|") + ")"; got != jobs {
				return errors.New("it finds " + got)
			}
			return nil
		})
		if variable.AllValue != "" {
			t.Errorf("%s: all of them are %q, whatever it finds", what, variable.AllValue)
		}
	}
}

// work sends requests of all kinds, including the failures that panels show.
func (c *cluster) work(t *testing.T, s *server) {
	c.ordinary(t)
	s.ordinary(t)
	s.convert(t, "v1", claim("v1alpha2", "", `"spec":{"resourceClassName":5}`))
	s.convert(t, "v1", junk("v1alpha2"))
	s.convert(t, "v1alpha2", big())
	s.convert(t, "v1alpha2", claim("v1", "", `"spec":{"devices":{"odd":true,"requests":[]}}`))
	s.convert(t, "v1", claim("v1alpha2", "", classic+`,"status":{"driverName":"d"}`))
	s.convert(t, "v1",
		claim("v1alpha2", `,"annotations":{"claimbridge.dev/v1-status":"{\"uid\":\"another\",\"status\":{}}"}`,
			classic+`,"status":{"driverName":"d"}`))
	if connection, err := untrusting.DialContext(t.Context(), "tcp", s.address); err == nil {
		_ = connection.Close()
	}
}
