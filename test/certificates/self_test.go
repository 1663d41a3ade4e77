package certificates

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook"
)

// shipSecret again, as the manifests do: empty.
func (i *installation) shipSecret(t *testing.T) {
	t.Helper()
	if _, err := cluster.core.CoreV1().Secrets(i.name).Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "claimbridge-ca"},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestSelfLosesNothing has two replicas that share a CA in a Secret, with lives so short that leaves are replaced every
// five seconds and the CA once in the test: made, published, promoted, retired.
func TestSelfLosesNothing(t *testing.T) {
	t.Parallel()
	i := install(t, "self", config.Self)
	o := webhook.Options{
		CertificateSecret: i.name + "/claimbridge-ca", DNSNames: []string{i.dnsName()}, WebhookConfiguration: i.name,
		CertificateValidity: 8 * time.Second, CAValidity: 24 * time.Second, Kubeconfig: kubeconfig(t),
	}
	replicas := []*replica{i.startReplica(t, o), i.startReplica(t, o)}
	await(t, "both are ready", func() bool { return i.service.isReady(2) })
	await(t, "the bundles are written", func() bool { return len(i.bundle(t)) > 0 && i.convertOnce(t) == nil })
	load := i.begin(t)
	before := i.generation(t)
	const changes = "claimbridge_certificate_changes_total"
	begun := [2]float64{replicas[0].metric(t, changes), replicas[1].metric(t, changes)}
	await(t, "the next CA is trusted beside the first", func() bool { return i.generation(t) == before+1 })
	await(t, "the first CA has gone", func() bool { return i.generation(t) == before+2 })
	load.end(t)
	for n, r := range replicas {
		t.Logf("replica %d took %v certificates, the CA included", n, r.metric(t, changes)-begun[n])
		if got := r.metric(t, changes) - begun[n]; got < 3 {
			t.Errorf("replica %d took only %v certificates", n, got)
		}
		if got := r.metric(t, "claimbridge_ca_bundle_mismatch"); got != 0 {
			t.Errorf("replica %d sees %v bundles without its CA", n, got)
		}
	}
}
