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

// TestLostSecretOfTheCA deletes, empties and damages the Secret while a replica without permission to create it runs.
func TestLostSecretOfTheCA(t *testing.T) {
	t.Parallel()
	i := install(t, "lost", config.Self)
	account := i.account()
	a := i.share(t, account, nil)
	await.NoError(t, "it is trusted", func() error { return i.trusts(t, a, time.Now()) })
	good := i.secret(t).Data

	for name, data := range map[string]map[string][]byte{
		"emptied":             nil,
		"half written":        {"tls.crt": good["tls.crt"][:100], "tls.key": good["tls.key"]},
		"without the key":     {"tls.crt": good["tls.crt"], "tls.key": {}},
		"with words for a CA": {"tls.crt": []byte("none"), "tls.key": []byte("none")},
	} {
		i.updateSecret(t, data)
		await.True(t, name+": it is put back", func() bool {
			return maps.EqualFunc(i.secret(t).Data, good, func(a, b []byte) bool { return string(a) == string(b) })
		})
	}

	must.Do(t, cluster.core.CoreV1().Secrets(i.name).Delete(t.Context(), "claimbridge-ca", metav1.DeleteOptions{}))
	var asked looks
	counted := i.account()
	asked.count(counted)
	fresh := i.share(t, counted, nil) // it has nothing to put back, and may not create anything
	asked.await(t, "it looks for the Secret", 3, func() {
		if _, err := i.sign(fresh); err == nil {
			t.Fatal("a replica signs with a CA that is nowhere")
		}
	})
	if err := i.trusts(t, a, time.Now()); err != nil {
		t.Errorf("without the Secret a replica does not go on with what it holds: %v", err)
	}
	fresh.stop()
	i.shipSecret(t) // the manifests are applied again
	await.True(t, "it is put back", func() bool { return i.ca(t) == string(good["tls.crt"]) })
	if got := i.generation(t); got != 2 {
		t.Errorf("the CRD was written %d times, want once", got-1)
	}
}
