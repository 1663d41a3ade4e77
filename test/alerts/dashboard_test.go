//go:build e2e

package alerts

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
)

var pictures = flag.Bool("pictures", false, "draw the dashboards anew into docs/images, with what the servers do in three minutes")

// dashboard as Grafana reads it, as far as it is looked at here.
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
	Options struct {
		TextMode string `json:"textMode"`
	} `json:"options"`
	Targets []struct {
		Expr         string `json:"expr"`
		LegendFormat string `json:"legendFormat"`
	} `json:"targets"`
}

// dashboards by the name of their picture, and the jobs among those of the test that each is of.
var dashboards = map[string]struct{ file, jobs string }{
	"dashboard-webhook":    {"../../config/dashboard/claimbridge.json", "(busy|claimbridge)"},
	"dashboard-aggregated": {"../../config/aggregated/dashboard/claimbridge-apiserver.json", "(claimbridge-apiserver)"},
}

func readDashboard(t *testing.T, file string) (board dashboard) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	return board
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
	begun := time.Now()
	for name, of := range dashboards {
		board := readDashboard(t, of.file)
		asked.findsJobs(t, board, of.jobs)
		queries, answers := 0, 0
		for _, p := range board.Panels {
			if p.Type == "row" {
				continue
			}
			if len(p.Targets) == 0 {
				t.Errorf("%s, %s: there is nothing on it", board.UID, p.Title)
			}
			for _, target := range p.Targets {
				answers += len(asked.answered(t, board.UID+", "+p.Title, query(target.Expr, of.jobs)))
				queries++
			}
		}
		t.Logf("%s: %d panels and rows, %d queries, %d series in answer", board.UID, len(board.Panels), queries, answers)
		if *pictures {
			time.Sleep(time.Until(begun.Add(span + rateInterval))) // a rate needs that much before it
			asked.draw(t, board, of.jobs, "../../docs/images/"+name+".svg")
		}
	}
}

// rateInterval is what Grafana would say to scrapes each second, or more.
const rateInterval = 30 * time.Second

// query as Grafana sends it.
func query(expr, jobs string) string {
	return strings.NewReplacer("$__rate_interval", rateInterval.String(), "$job", jobs).Replace(expr)
}

// findsJobs: when a dashboard is opened all jobs are chosen, which are those that its variable finds, and no others, as every job has a memory and a processor.
func (p prometheus) findsJobs(t *testing.T, board dashboard, want string) {
	t.Helper()
	for _, variable := range board.Templating.List {
		metric, ok := strings.CutPrefix(variable.Definition, "label_values(")
		if !ok {
			continue
		}
		metric, _, _ = strings.Cut(metric, ",")
		what := board.UID + ", variable " + variable.Name
		await.NoError(t, what+" finds "+want, func() error {
			var names []string
			for _, r := range p.answered(t, what, `group by (job) (`+metric+`)`) {
				names = append(names, r.Metric["job"])
			}
			slices.Sort(names)
			if got := "(" + strings.Join(names, "|") + ")"; got != want {
				return errors.New("it finds " + got)
			}
			return nil
		})
		if variable.AllValue != "" {
			t.Errorf("%s: all of them are %q, whatever it finds", what, variable.AllValue)
		}
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
	port := plane.Port(t)
	text, err := config.AggregatedManifests(config.AggregatedOptions{Certificates: config.Self})
	changed := strings.ReplaceAll(string(text), "    port: 443\n  version: ", fmt.Sprintf("    port: %d\n  version: ", port))
	c.apply(t, []byte(changed), err)
	c.here(t, "claimbridge-apiserver")
	m := c.ownServer(t, port)
	for _, version := range config.AggregatedByDefault {
		c.comesTo(t, version, http.MethodGet, "/apis/resource.k8s.io/"+version, "", http.StatusOK)
	}
	return m
}
