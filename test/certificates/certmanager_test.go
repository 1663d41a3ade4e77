//go:build e2e

package certificates

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
	"github.com/claimbridge/claimbridge/webhook"
)

// certManagerDefinitions returns the folder with the CRDs of cert-manager.
func certManagerDefinitions() ([]string, error) {
	folder, err := programs.Source(context.Background(), filepath.Join("..", "certmanager", "program"),
		"github.com/cert-manager/cert-manager")
	if err != nil {
		return nil, fmt.Errorf("find cert-manager: %w", err)
	}
	return []string{filepath.Join(folder, "deploy", "crds")}, nil
}

// runCertManager runs cert-manager until the end of the test.
func runCertManager(t *testing.T) {
	t.Helper()
	process.Start(t,
		exec.CommandContext(context.WithoutCancel(t.Context()), programs.Tool(t, programs.CertManager), kubeconfig(t)))
}

// syncSecret keeps a volume of a Secret up to date, as the kubelet does.
func (i *installation) syncSecret(t *testing.T, secret string) *secretMount {
	t.Helper()
	read := func() (data map[string][]byte) {
		got, err := cluster.core.CoreV1().Secrets(i.name).Get(context.Background(), secret, metav1.GetOptions{})
		if err != nil {
			return nil
		}
		return got.Data
	}
	await.True(t, "the Secret has a certificate", func() bool { return len(read()["tls.crt"]) > 0 })
	current := read()
	m := newSecretMount(t, current)
	var watching sync.WaitGroup
	watching.Go(func() {
		wait.UntilWithContext(t.Context(), func(context.Context) {
			if data := read(); len(data) > 0 && string(data["tls.crt"]) != string(current["tls.crt"]) {
				current = data
				m.write(t, data)
			}
		}, time.Second)
	})
	t.Cleanup(watching.Wait) // the test's context is done by then
	return m
}

// renew renews a Certificate as cmctl does.
func (i *installation) renew(t *testing.T, name string) {
	t.Helper()
	patch := fmt.Appendf(nil,
		`{"status":{"conditions":[{"type":"Issuing","status":"True","reason":"ManuallyTriggered","message":"by a `+
			`test","lastTransitionTime":%q}]}}`,
		time.Now().UTC().Format(time.RFC3339))
	must.Get(cluster.dynamic.Resource(certificates).Namespace(i.name).Patch(t.Context(), name, types.MergePatchType,
		patch,
		metav1.PatchOptions{}, "status"))(t)
}

// TestCertManagerRenewalsLoseNoCalls installs claimbridge with cert-manager. Under load, it renews the serving
// certificate, and that of the CA, which keeps its key.
func TestCertManagerRenewalsLoseNoCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: cert-manager takes minutes to build")
	}
	t.Parallel()
	i := install(t, "certmanager", config.CertManager)
	runCertManager(t)
	m := i.syncSecret(t, "claimbridge-tls")
	replicas := []*replica{
		i.startReplica(t, certs.FilesInDir(m.folder), webhook.Options{}),
		i.startReplica(t, certs.FilesInDir(m.folder), webhook.Options{}),
	}
	await.NoError(t, "both replicas are ready", func() error { return i.service.checkReady(2) })
	await.NoError(t, "cainjector has written the caBundle", func() error { return i.convertOnce(t) })
	load := i.startLoad(t)
	for _, name := range []string{"claimbridge-tls", "claimbridge-ca", "claimbridge-tls"} {
		before := i.secretData(t, name)["tls.crt"]
		i.renew(t, name)
		await.True(t, name+" is issued again", func() bool {
			return string(i.secretData(t, name)["tls.crt"]) != string(before)
		})
		for _, r := range replicas {
			await.True(t, "the new certificate is served", func() bool {
				return r.servesCertificate(t, i.secretData(t, "claimbridge-tls")["tls.crt"])
			})
		}
	}
	load.end(t)
}

func (i *installation) secretData(t *testing.T, name string) map[string][]byte {
	t.Helper()
	secret := must.Get(cluster.core.CoreV1().Secrets(i.name).Get(t.Context(), name, metav1.GetOptions{}))(t)
	return secret.Data
}
