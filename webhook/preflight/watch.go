package preflight

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
)

// runTimeout of one run in the background: many times what it takes, so that an API server that hangs does not keep it
// for ever.
const runTimeout = 2 * time.Minute

// confirmAfter is when a run follows one that came upon something new. What is in order half a minute later was being put in
// order: right after an installation the bundles are written within ten seconds, and cert-manager needs no longer.
const confirmAfter = 30 * time.Second

// Watcher makes the checks again and again, logs what comes and goes, and is a collector of metrics. What only one
// run has found counts for neither. It has no say in whether a server is ready.
type Watcher struct {
	client   *rest.Config
	options  []Options
	interval time.Duration
	log      logr.Logger
	// failed is set when the last run could not ask the API server.
	failed bool
	// seen in the last run, counted or not.
	seen map[subject]bool
	// known to the log.
	known map[logged]bool

	mu      sync.Mutex
	results []Result
	lastRun time.Time
}

// subject of a finding. Its text may change from run to run.
type subject struct {
	check    string
	severity Severity
	object   Object
}

// logged is a finding that the log has.
type logged struct {
	check string
	Finding
}

// Watch makes a watcher of installations, one a group, that share an API server. [Watcher.Run] starts it.
func Watch(client *rest.Config, interval time.Duration, log logr.Logger, options ...Options) *Watcher {
	return &Watcher{client: client, options: options, interval: interval, log: log}
}

// Run until ctx is done. Replicas that started together drift apart by up to a tenth of the interval each time.
func (w *Watcher) Run(ctx context.Context) {
	for {
		next := wait.Jitter(w.interval, 0.1)
		if news := w.run(ctx); news {
			next = min(next, confirmAfter)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(next):
		}
	}
}

// run reports whether there is something that the next run has to confirm.
func (w *Watcher) run(ctx context.Context) (news bool) {
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	var results []Result
	for _, o := range w.options {
		found, err := Run(ctx, w.client, o)
		if err != nil { // what is known stays, and the time of the last run says how old it is
			if ctx.Err() == nil {
				return w.fail(err, o.Group)
			}
			return false
		}
		results = append(results, found...)
	}
	w.failed = false
	news = w.confirm(results)
	w.report(results)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.results, w.lastRun = results, time.Now()
	return news
}

// fail for the first time is no error: a token or a right may be as young as this server.
func (w *Watcher) fail(err error, group string) (first bool) {
	if !w.failed {
		w.failed = true
		w.log.Info("Preflight could not run", "group", group, "cause", err.Error())
		return true
	}
	w.log.Error(err, "Preflight could not run", "group", group)
	return false
}

// confirm takes out of results what the run before did not find.
func (w *Watcher) confirm(results []Result) (news bool) {
	seen := map[subject]bool{}
	for i, r := range results {
		results[i].Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
			at := subject{r.Check.Name, f.Severity, f.Object}
			seen[at] = true
			news = news || !w.seen[at]
			return !w.seen[at]
		})
	}
	w.seen = seen
	return news
}

// report to the log what is new, and what is gone.
func (w *Watcher) report(results []Result) {
	now := map[logged]bool{}
	for _, r := range results {
		for _, f := range r.Findings {
			t := logged{r.Check.Name, f}
			now[t] = true
			if w.known[t] {
				continue
			}
			values := []any{"check", t.check, "severity", f.Severity, "object", f.Object.String(), "what", f.What, "remedy", f.Remedy, "command", f.Command}
			if f.Severity == Problem {
				w.log.Error(nil, "Preflight found a problem", values...)
			} else {
				w.log.Info("Preflight found something", values...)
			}
		}
	}
	for t := range w.known {
		if !now[t] {
			w.log.Info("Preflight: finding resolved", "check", t.check, "object", t.Object.String(), "what", t.What)
		}
	}
	w.known = now
}

var (
	problemMetric = prometheus.NewDesc("claimbridge_preflight_problem",
		"What preflight found in the last two runs, by check and severity (problem, unknown: it could not look, warning).", []string{"check", "severity"}, nil)
	lastRunMetric = prometheus.NewDesc("claimbridge_preflight_last_run_timestamp_seconds",
		"End of the last run of preflight in seconds since 1970, 0 before the first.", nil, nil)
)

// Describe is the first half of a collector.
func (w *Watcher) Describe(out chan<- *prometheus.Desc) {
	out <- problemMetric
	out <- lastRunMetric
}

// Collect is the other half.
func (w *Watcher) Collect(out chan<- prometheus.Metric) {
	w.mu.Lock()
	defer w.mu.Unlock()
	counts := map[string]map[Severity]int{}
	for _, r := range w.results {
		if counts[r.Check.Name] == nil {
			counts[r.Check.Name] = map[Severity]int{}
		}
		for _, severity := range Severities {
			counts[r.Check.Name][severity] += r.Count(severity)
		}
	}
	for check, bySeverity := range counts {
		for severity, count := range bySeverity {
			out <- prometheus.MustNewConstMetric(problemMetric, prometheus.GaugeValue, float64(count), check, string(severity))
		}
	}
	last := 0.0
	if !w.lastRun.IsZero() {
		last = float64(w.lastRun.Unix())
	}
	out <- prometheus.MustNewConstMetric(lastRunMetric, prometheus.GaugeValue, last)
}
