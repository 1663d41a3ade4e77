//go:build e2e

package certificates

import (
	"crypto/x509"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook"
)

// TestMovingLosesNothing goes from files to a shared CA and back, as the documentation tells: the replicas of the next way
// start beside those of the last, which stop when the others are ready.
func TestMovingLosesNothing(t *testing.T) {
	t.Parallel()
	i := install(t, "moving", config.Files)
	i.shipSecret(t)
	ca := newTestCA(t, "ca", time.Now(), day)
	certificate, key := ca.pair(t, i.dnsName(), x509.ExtKeyUsageServerAuth)
	m := newMount(t, map[string][]byte{"tls.crt": certificate, "tls.key": key})
	i.setBundle(t, encode(ca.certificate))
	delay := shutdownDelay
	files := webhook.Options{CertDir: m.folder, ShutdownDelay: delay}
	self := webhook.Options{
		CertificateSecret: i.name + "/claimbridge-ca", DNSNames: []string{i.dnsName()}, WebhookConfiguration: i.name,
		CertificateValidity: 10 * time.Second, CAValidity: time.Hour, Kubeconfig: kubeconfig(t), ShutdownDelay: delay,
	}
	replicas := []*replica{i.startReplica(t, files), i.startReplica(t, files)}
	await(t, "both are ready", func() bool { return i.service.isReady(2) })
	await(t, "they are trusted", func() bool { return i.convertOnce(t) == nil })
	load := i.begin(t)
	for _, next := range []webhook.Options{self, files} {
		fresh := []*replica{i.startReplica(t, next), i.startReplica(t, next)}
		await(t, "all are ready", func() bool { return i.service.isReady(4) })
		for _, old := range replicas {
			old.stop()
		}
		for _, old := range replicas {
			if err := old.wait(); err != nil {
				t.Error(err)
			}
		}
		replicas = fresh
	}
	load.end(t)
}
