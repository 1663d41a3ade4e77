//go:build e2e

package preflight

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// expectMetrics that follow what comes and goes.
func (i *installation) expectMetrics(t *testing.T) {
	t.Helper()
	watcher := preflight.Watch(i.config, 50*time.Millisecond, logr.Discard(), preflight.Options{Group: i.group})
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(watcher); err != nil {
		t.Fatal(err)
	}
	if before := gather(t, registry); len(before) != 1 || before["claimbridge_preflight_last_run_timestamp_seconds"] != 0 {
		t.Errorf("before the first run: %v", before)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { watcher.Run(ctx); close(ended) }()
	defer func() { stop(); <-ended }()

	const optional = "claimbridge_preflight_problem webhooks-are-not-optional problem"
	awaitMetric := func(want float64) {
		t.Helper()
		i.eventually(t, "wait for a run", func() error {
			if got, ok := gather(t, registry)[optional]; !ok || got != want {
				return errNotYet
			}
			return nil
		})
	}
	awaitMetric(0)
	if all := gather(t, registry); len(all) != 1+3*len(preflight.Checks) || all["claimbridge_preflight_last_run_timestamp_seconds"] == 0 {
		t.Errorf("after a run: %v", all)
	}
	faults["judging is optional"].make(t, i)
	awaitMetric(1)
	i.restore(t)
	awaitMetric(0)
}

func gather(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			key := family.GetName()
			for _, label := range metric.GetLabel() {
				key += " " + label.GetValue()
			}
			values[key] = metric.GetGauge().GetValue()
		}
	}
	return values
}
