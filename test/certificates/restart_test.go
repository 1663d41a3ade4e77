//go:build e2e

package certificates

import (
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/webhook"
	"github.com/claimbridge/claimbridge/webhook/certificates"
)

// TestARollingRestartLosesNothing replaces both replicas as a Deployment does: a new one is ready before an old one is
// told to stop. Until the Service hears of that, it still sends new connections there; kept ones stay.
func TestARollingRestartLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: replicas are started and stopped under load")
	}
	t.Parallel()
	i := install(t, "restart", config.Files)
	ca := certs.New(t, "ca", certs.Day)
	m := newMount(t, serving(t, ca, i.dnsName()))
	i.setBundle(t, ca.Certificate)
	o := webhook.Options{Certificates: certificates.Folder(m.folder), ShutdownDelay: shutdownDelay}
	replicas := []*replica{i.startReplica(t, o), i.startReplica(t, o)}
	await.NoError(t, "both are ready", func() error { return i.service.isReady(2) })
	await.NoError(t, "they are trusted", func() error { return i.convertOnce(t) })
	load := i.begin(t)
	for _, old := range replicas {
		fresh := i.startReplica(t, o)
		await.NoError(t, "the new one is ready", func() error { return i.service.isReady(3) })
		await.That(t, "it converts", func() bool { return fresh.metric(t, "claimbridge_conversions_total") > 0 })
		old.stop()
		await.NoError(t, "the old one is not ready any more", func() error { return i.service.isReady(2) })
		if err := old.wait(); err != nil {
			t.Error(err)
		}
	}
	load.end(t)
}
