//go:build e2e

package certificates

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/logs"
	"github.com/claimbridge/claimbridge/test/testkit/metrics"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

// replica is a running webhook server.
type replica struct {
	*webhook.Server
	certificates *certs.Source
	log          *logs.Log
	stop         context.CancelFunc
	wait         func() error // waits for its end
}

// certificateSource is a source of serving certificates.
type certificateSource interface {
	Open(log logr.Logger) (*certs.Source, error)
}

// startReplica starts a replica behind the Service. It runs at most until the end of the test.
func (i *installation) startReplica(t *testing.T, s certificateSource, o webhook.Options) *replica {
	t.Helper()
	o.Groups, o.BindAddress, o.SecurePort, o.MetricsBindAddress = []string{i.group}, "127.0.0.1", -1, "0"
	log := logs.New(t, "replica")
	o.Logger = reviews.NewLogger(log)
	certificates := must.Get(s.Open(o.Logger))(t)
	o.Certificates = certificates
	server := must.Get(webhook.New(o))(t)
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
	r := &replica{server, certificates, log, stop, wait}
	i.replicas = append(i.replicas, r)
	return r
}

// kubeconfig returns the path of an administrator's kubeconfig.
func kubeconfig(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	must.Do(t, os.WriteFile(file, cluster.KubeconfigOf(t, plane.Administrator.Name, "default"), 0o600))
	return file
}

// caInSecret is the shared CA of the installation. Its certificates are valid for half a minute.
func (i *installation) caInSecret(t *testing.T) certs.InSecret {
	t.Helper()
	return certs.InSecret{
		Namespace:            i.name,
		Name:                 "claimbridge-ca",
		DNSNames:             []string{i.dnsName()},
		CRDs:                 []string{"resourceclaims." + i.group, "resourceclaimtemplates." + i.group},
		WebhookConfiguration: i.name,
		Validity:             30 * time.Second, CAValidity: time.Hour, Kubeconfig: kubeconfig(t),
	}
}

// metric returns the sum of a metric over all labels.
func (r *replica) metric(t *testing.T, name string) float64 {
	t.Helper()
	return metrics.Gather(t, r.Collector()).Sum(name) + metrics.Gather(t, r.certificates).Sum(name)
}
