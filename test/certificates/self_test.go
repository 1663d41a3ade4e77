//go:build e2e

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

// TestSelfLosesNothing has two replicas that share a CA in a Secret, with leaves that live for seconds. The CA is replaced
// once, as somebody does who does not trust its key any more: published, promoted, retired.
func TestSelfLosesNothing(t *testing.T) {
	t.Parallel()
	i := install(t, "self", config.Self)
	o := webhook.Options{
		CertificateSecret: i.name + "/claimbridge-ca", DNSNames: []string{i.dnsName()}, WebhookConfiguration: i.name,
		CertificateValidity: 15 * time.Second, CAValidity: time.Hour, Kubeconfig: kubeconfig(t),
	}
	replicas := []*replica{i.startReplica(t, o), i.startReplica(t, o)}
	await(t, "both are ready", func() bool { return i.service.isReady(2) })
	await(t, "the bundles are written", func() bool { return len(i.bundle(t)) > 0 && i.convertOnce(t) == nil })
	load := i.begin(t)
	before := i.generation(t)
	const changes = "claimbridge_certificate_changes_total"
	begun := [2]float64{replicas[0].metric(t, changes), replicas[1].metric(t, changes)}

	first, next := i.ca(t), newTestCA(t, "claimbridge shared CA", time.Now(), day)
	i.putNext(t, next)
	await(t, "it is trusted beside the first", func() bool { return i.generation(t) == before+1 })
	await(t, "it signs", func() bool { return i.ca(t) == string(encode(next.certificate)) && i.ca(t) != first })
	await(t, "the first CA has gone", func() bool { return i.generation(t) == before+2 })
	load.end(t)
	if got := string(i.bundle(t)); got != string(encode(next.certificate)) {
		t.Errorf("the bundle is\n%s", got)
	}
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

// putNext CA into the Secret, again when a replica has written it in between.
func (i *installation) putNext(t *testing.T, next *testCA) {
	t.Helper()
	await(t, "the Secret is written", func() bool {
		secret := i.secret(t)
		secret.Data["next.crt"], secret.Data["next.key"] = encode(next.certificate), next.keyPEM(t)
		_, err := cluster.core.CoreV1().Secrets(i.name).Update(t.Context(), secret, metav1.UpdateOptions{})
		return err == nil
	})
}
