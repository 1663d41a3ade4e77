//go:build e2e

package certificates

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

// shipSecret again, as the manifests do: empty.
func (i *installation) shipSecret(t *testing.T) {
	t.Helper()
	must.Get(cluster.core.CoreV1().Secrets(i.name).Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "claimbridge-ca"},
	}, metav1.CreateOptions{}))(t)
}

// TestSelfLosesNothing has two replicas that share a CA in a Secret, with certificates that are valid for half a
// minute, of which a quarter remains for a renewal when the API server is slow. The CA is replaced as after a
// compromise of its key: published, promoted, retired.
func TestSelfLosesNothing(t *testing.T) {
	t.Parallel()
	i := install(t, "self", config.Self)
	secret := i.inSecret(t)
	replicas := []*replica{i.startReplica(t, secret, webhook.Options{}), i.startReplica(t, secret, webhook.Options{})}
	await.NoError(t, "both are ready", func() error { return i.service.isReady(2) })
	await.NoError(t, "the bundles are written", func() error { return i.convertOnce(t) })
	load := i.begin(t)
	before := i.generation(t)
	const changes = "claimbridge_certificate_changes_total"
	begun := [2]float64{replicas[0].metric(t, changes), replicas[1].metric(t, changes)}

	first, next := i.ca(t), certs.New(t, "claimbridge shared CA", certs.Day)
	i.putNext(t, next)
	await.True(t, "it is trusted beside the first", func() bool { return i.generation(t) == before+1 })
	await.True(t, "it signs", func() bool { return i.ca(t) == string(next.Certificate) && i.ca(t) != first })
	await.True(t, "the first CA has gone", func() bool { return i.generation(t) == before+2 })
	load.end(t)
	if got := string(i.bundle(t)); got != string(next.Certificate) {
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
func (i *installation) putNext(t *testing.T, next *certs.Authority) {
	t.Helper()
	await.NoError(t, "the Secret is written", func() error {
		secret := i.secret(t)
		secret.Data["next.crt"], secret.Data["next.key"] = next.Certificate, next.Key
		_, err := cluster.core.CoreV1().Secrets(i.name).Update(t.Context(), secret, metav1.UpdateOptions{})
		return err
	})
}
