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

// createSecret creates the empty Secret of the manifests again.
func (i *installation) createSecret(t *testing.T) {
	t.Helper()
	must.Get(cluster.core.CoreV1().Secrets(i.name).Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "claimbridge-ca"},
	}, metav1.CreateOptions{}))(t)
}

// TestCARotationLosesNoCalls has two replicas that share a CA in a Secret, with certificates that are valid for half a
// minute, of which a quarter remains for a renewal when the API server is slow. The CA is replaced as after a
// compromise of its key: published, promoted, retired.
func TestCARotationLosesNoCalls(t *testing.T) {
	t.Parallel()
	i := install(t, "self", config.Self)
	secret := i.caInSecret(t)
	replicas := []*replica{i.startReplica(t, secret, webhook.Options{}), i.startReplica(t, secret, webhook.Options{})}
	await.NoError(t, "both replicas are ready", func() error { return i.service.checkReady(2) })
	await.NoError(t, "the caBundles are written", func() error { return i.convertOnce(t) })
	load := i.startLoad(t)
	generation := i.generation(t)
	const changes = "claimbridge_certificate_changes_total"
	before := [2]float64{replicas[0].metric(t, changes), replicas[1].metric(t, changes)}

	first, next := i.ca(t), certs.New(t, "claimbridge shared CA", certs.Day)
	i.setNextCA(t, next)
	await.True(t, "the bundle has both CAs", func() bool { return i.generation(t) == generation+1 })
	await.True(t, "the next CA is promoted", func() bool {
		return i.ca(t) == string(next.Certificate) && i.ca(t) != first
	})
	await.True(t, "the first CA is removed", func() bool { return i.generation(t) == generation+2 })
	load.end(t)
	if got := string(i.bundle(t)); got != string(next.Certificate) {
		t.Errorf("bundle: got\n%s\nwant only the next CA", got)
	}
	for n, r := range replicas {
		t.Logf("replica %d changed certificates %v times, including that of the CA", n, r.metric(t, changes)-before[n])
		if got := r.metric(t, changes) - before[n]; got < 3 {
			t.Errorf("replica %d changed certificates %v times, want at least 3", n, got)
		}
		if got := r.metric(t, "claimbridge_ca_bundle_mismatch"); got != 0 {
			t.Errorf("replica %d reports %v bundles without its CA, want 0", n, got)
		}
	}
}

// setNextCA writes the next CA into the Secret. It retries if a replica writes the Secret at the same time.
func (i *installation) setNextCA(t *testing.T, next *certs.Authority) {
	t.Helper()
	await.NoError(t, "the Secret has the next CA", func() error {
		secret := i.secret(t)
		secret.Data["next.crt"], secret.Data["next.key"] = next.Certificate, next.Key
		_, err := cluster.core.CoreV1().Secrets(i.name).Update(t.Context(), secret, metav1.UpdateOptions{})
		return err
	})
}
