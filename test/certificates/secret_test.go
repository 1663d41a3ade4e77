//go:build e2e

package certificates

import (
	"maps"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func (i *installation) secret(t *testing.T) *corev1.Secret {
	t.Helper()
	secret, err := cluster.core.CoreV1().Secrets(i.name).Get(t.Context(), "claimbridge-ca", metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	return secret
}

func (i *installation) updateSecret(t *testing.T, data map[string][]byte) {
	t.Helper()
	secret := i.secret(t)
	secret.Data = data
	must.Get(cluster.core.CoreV1().Secrets(i.name).Update(t.Context(), secret, metav1.UpdateOptions{}))(t)
}

func (i *installation) ca(t *testing.T) string { return string(i.secret(t).Data["tls.crt"]) }

// TestDamagedSecretOfCAIsRestored damages, empties and deletes the Secret while a replica without permission to create
// it runs.
func TestDamagedSecretOfCAIsRestored(t *testing.T) {
	t.Parallel()
	i := install(t, "lost", config.Self)
	account := i.serviceAccount()
	a := i.startSharedCA(t, account, nil)
	await.NoError(t, "the certificates are trusted", func() error { return i.checkTrust(t, a, time.Now()) })
	original := i.secret(t).Data

	for name, data := range map[string]map[string][]byte{
		"empty":                    nil,
		"truncated":                {"tls.crt": original["tls.crt"][:100], "tls.key": original["tls.key"]},
		"without the key":          {"tls.crt": original["tls.crt"], "tls.key": {}},
		"with text instead of PEM": {"tls.crt": []byte("none"), "tls.key": []byte("none")},
	} {
		i.updateSecret(t, data)
		await.True(t, "a Secret that is "+name+" is restored", func() bool {
			return maps.EqualFunc(i.secret(t).Data, original, func(a, b []byte) bool { return string(a) == string(b) })
		})
	}

	must.Do(t, cluster.core.CoreV1().Secrets(i.name).Delete(t.Context(), "claimbridge-ca", metav1.DeleteOptions{}))
	var requests requestCounter
	observed := i.serviceAccount()
	requests.count(observed)
	newReplica := i.startSharedCA(t, observed, nil) // it has no CA to restore, and may not create the Secret
	requests.await(t, "requests for the Secret", 3, func() {
		if _, err := i.sign(newReplica); err == nil {
			t.Fatal("a replica without a CA signed a certificate")
		}
	})
	if err := i.checkTrust(t, a, time.Now()); err != nil {
		t.Errorf("a replica does not continue with its CA when the Secret is deleted: %v", err)
	}
	newReplica.stop()
	i.createSecret(t) // the manifests are applied again
	await.True(t, "the Secret is restored", func() bool { return i.ca(t) == string(original["tls.crt"]) })
	if got := i.generation(t); got != 2 {
		t.Errorf("the CRD was written %d times, want once", got-1)
	}
}
