//go:build e2e

package certificates

import (
	"testing"

	servingcerts "github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/webhook"
)

// TestChangeOfSourceLosesNoCalls changes from files to a shared CA and back, as in the documentation. New replicas
// start before the old ones stop. Until the Service is updated, it still sends new connections to the old replicas.
func TestChangeOfSourceLosesNoCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: replicas with each source are started and stopped under load")
	}
	t.Parallel()
	i := install(t, "moving", config.Files)
	i.createSecret(t)
	ca := certs.New(t, "ca", certs.Day)
	m := newSecretMount(t, servingCertificate(t, ca, i.dnsName()))
	i.setBundle(t, ca.Certificate)
	options := webhook.Options{ShutdownDelay: shutdownDelay}
	files, self := servingcerts.FilesInDir(m.folder), i.caInSecret(t)
	replicas := []*replica{i.startReplica(t, files, options), i.startReplica(t, files, options)}
	await.NoError(t, "both replicas are ready", func() error { return i.service.checkReady(2) })
	await.NoError(t, "the certificates are trusted", func() error { return i.convertOnce(t) })
	load := i.startLoad(t)
	for _, next := range []certificateSource{self, files} {
		newReplicas := []*replica{i.startReplica(t, next, options), i.startReplica(t, next, options)}
		await.NoError(t, "old and new replicas are ready", func() error { return i.service.checkReady(4) })
		for _, old := range replicas {
			old.stop()
		}
		for _, old := range replicas {
			if err := old.wait(); err != nil {
				t.Error(err)
			}
		}
		replicas = newReplicas
	}
	load.end(t)
}
