//go:build e2e

package certificates

import (
	"crypto/x509"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook"
)

// TestARollingRestartLosesNothing replaces both replicas as a Deployment does: a new one is ready before an old one is
// told to stop. Until the Service hears of that, it still sends new connections there; kept ones stay.
func TestARollingRestartLosesNothing(t *testing.T) {
	t.Parallel()
	i := install(t, "restart", config.Files)
	ca := newTestCA(t, "ca", time.Now(), day)
	certificate, key := ca.pair(t, i.dnsName(), x509.ExtKeyUsageServerAuth)
	m := newMount(t, map[string][]byte{"tls.crt": certificate, "tls.key": key})
	i.setBundle(t, encode(ca.certificate))
	o := webhook.Options{CertDir: m.folder, ShutdownDelay: shutdownDelay}
	replicas := []*replica{i.startReplica(t, o), i.startReplica(t, o)}
	await(t, "both are ready", func() bool { return i.service.isReady(2) })
	await(t, "they are trusted", func() bool { return i.convertOnce(t) == nil })
	load := i.begin(t)
	for _, old := range replicas {
		i.startReplica(t, o)
		await(t, "the new one is ready", func() bool { return i.service.isReady(3) })
		time.Sleep(5 * probePeriod)
		old.stop()
		await(t, "the old one is not ready any more", func() bool { return i.service.isReady(2) })
		if err := old.wait(); err != nil {
			t.Error(err)
		}
	}
	load.end(t)
}
