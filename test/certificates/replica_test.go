//go:build e2e

package certificates

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/claimbridge/claimbridge/webhook"
)

// replica of the server.
type replica struct {
	*webhook.Server
	stop context.CancelFunc
	wait func() error // for its end
}

// startReplica behind the Service. It is stopped at the end of the test at the latest.
func (i *installation) startReplica(t *testing.T, o webhook.Options) *replica {
	t.Helper()
	o.Groups, o.BindAddress, o.SecurePort, o.MetricsBindAddress = []string{i.group}, "127.0.0.1", -1, "0"
	o.Logger = logger(t)
	server, err := webhook.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	wait := sync.OnceValue(func() error { return <-ended })
	t.Cleanup(func() {
		stop()
		_ = wait()
	})
	select {
	case <-server.Started():
	case err := <-ended:
		t.Fatal(err)
	}
	i.service.add(server.Addr().String())
	r := &replica{server, stop, wait}
	i.replicas = append(i.replicas, r)
	return r
}

// kubeconfig file of an administrator.
func kubeconfig(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, cluster.kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// metric of a replica: the sum of a name over all labels.
func (r *replica) metric(t *testing.T, name string) (sum float64) {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(r.Collector())
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			sum += value(m)
		}
	}
	return sum
}

func value(m *dto.Metric) float64 {
	if m.GetCounter() != nil {
		return m.GetCounter().GetValue()
	}
	return m.GetGauge().GetValue()
}

// logger of a test, until its end.
func logger(t *testing.T) logr.Logger {
	t.Helper()
	var mutex sync.Mutex
	var lines bytes.Buffer
	started := time.Now()
	t.Cleanup(func() {
		mutex.Lock()
		defer mutex.Unlock()
		if t.Failed() {
			t.Log(lines.String())
		}
	})
	return funcr.New(func(prefix, args string) {
		mutex.Lock()
		defer mutex.Unlock()
		lines.WriteString(time.Since(started).Round(time.Millisecond).String() + " " + prefix + " " + args + "\n")
	}, funcr.Options{})
}

// await something for at most a minute.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}
