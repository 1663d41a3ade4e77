//go:build e2e

package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

const day = 24 * time.Hour

// redirectService lets the Service refer to this machine, because the cluster has no pods.
func (l *lifecycle) redirectService(t *testing.T) {
	t.Helper()
	l.Kubectl(t, nil, "patch", "service", "claimbridge", "-n", namespace, "--type=merge", "-p",
		`{"spec":{"type":"ExternalName","externalName":"127.0.0.1"}}`)
}

// startServer starts the server at the port of the Service with the permissions of its account. It does nothing if the
// certificates come from cert-manager or files.
func (l *lifecycle) startServer(t *testing.T) {
	t.Helper()
	l.stop = func() {}
	if l.certificates != config.Self {
		return
	}
	token := must.Get(l.Token(t.Context(), namespace, "claimbridge", nil))(t)
	kubeconfig := filepath.Join(l.Home, "server")
	must.Do(t, os.WriteFile(kubeconfig, l.KubeconfigOf(t, token, namespace), 0o600))
	secret := certs.InSecret{
		Namespace:            namespace,
		Name:                 "claimbridge-ca",
		DNSNames:             []string{"claimbridge." + namespace + ".svc"},
		CRDs:                 []string{"resourceclaims." + group, "resourceclaimtemplates." + group},
		WebhookConfiguration: "claimbridge",
		Kubeconfig:           kubeconfig,
	}
	source := must.Get(secret.Open(klog.Background()))(t)
	server := must.Get(webhook.New(webhook.Options{
		Groups:             []string{group},
		BindAddress:        "127.0.0.1",
		SecurePort:         l.port,
		ShutdownTimeout:    time.Second,
		MetricsBindAddress: ":0",
		Kubeconfig:         kubeconfig,
		Certificates:       source,
	}))(t)
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() {
		stopped <- server.Run(ctx)
		close(stopped)
	}()
	l.server = server
	l.stop = func() {
		cancel()
		<-stopped //nolint:errcheck // it is an error if the API server has an open connection that it has not used yet
	}
	select {
	case <-server.Started():
	case err := <-stopped:
		t.Fatal(err)
	}
}

// configOf returns a client configuration with a token of a service account.
func (c *cluster) configOf(t *testing.T, namespace, account string) *rest.Config {
	t.Helper()
	token := must.Get(c.Token(t.Context(), namespace, account, nil))(t)
	config := rest.AnonymousClientConfig(c.Config)
	config.BearerToken = token
	config.QPS = -1
	return config
}

func claim(group, version, name, spec string) string {
	return fmt.Sprintf("{apiVersion: %s/%s, kind: ResourceClaim, metadata: {name: %s, namespace: default}, spec: %s}",
		group, version, name, spec)
}

// checkWebhooks checks that claims are converted, defaulted and validated, as soon as the API server uses the webhooks.
// It creates the claims old and new, which the next steps use.
func (l *lifecycle) checkWebhooks(t *testing.T) {
	l.awaitOutput(t, "spec.resourceClassName: Invalid value",
		claim(group, "v1alpha1", "bad", "{resourceClassName: Not a name}"), "create", "-f", "-")
	l.awaitOutput(t, "created",
		claim(group, "v1alpha1", "old", "{resourceClassName: gpu.example.com}"), "create", "-f", "-")
	l.awaitOutput(t, "created",
		claim(group, "v1alpha3", "new", "{devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}"),
		"create", "-f", "-")
	for _, test := range []struct{ version, name, path, want string }{
		{"v1alpha3", "old", "{.spec.devices.requests[0].deviceClassName}", "gpu.example.com"},
		{"v1alpha1", "new", "{.spec.resourceClassName}", "gpu.example.com"},
		{"v1alpha3", "new", "{.spec.devices.requests[0].count}", "1"}, // by /default: the schema has no default
		{"v1", "new", "{.spec.devices.requests[0].exactly.count}", "1"},
	} {
		got := l.Kubectl(t, nil, "get", "resourceclaims."+test.version+"."+group, test.name, "-o",
			"jsonpath="+test.path)
		if !strings.HasSuffix(got, test.want) { // the output may start with a warning about the old version
			t.Errorf("claim %s in %s: got %s %q, want %q", test.name, test.version, test.path, got, test.want)
		}
	}
	l.checkClaims(t, "install")
}

// checkClaims checks that the claims are unchanged, and can be read and written in old versions.
func (l *lifecycle) checkClaims(t *testing.T, after string) {
	t.Helper()
	l.checkClaimsUnchanged(t, after)
	for _, name := range []string{"old", "new"} {
		l.awaitOutput(t, "gpu.example.com", "", "get", "resourceclaims.v1alpha2."+group, name, "-o",
			"jsonpath={.spec.resourceClassName}")
		l.awaitOutput(t, "annotated", "", "annotate", "--overwrite", "resourceclaims.v1alpha3."+group, name,
			"after="+strings.ReplaceAll(after, " ", "-"))
	}
}

// checkClaimsUnchanged compares the claims with those of the first call. It reads v1, which needs no server.
func (l *lifecycle) checkClaimsUnchanged(t *testing.T, after string) {
	t.Helper()
	got := l.Kubectl(t, nil, "get", "resourceclaims.v1."+group, "-o",
		`jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.spec}{"\n"}{end}`)
	if l.claims == "" {
		l.claims = got
	}
	if got != l.claims {
		t.Errorf("claims after the %s: got\n%s\nwant\n%s", after, got, l.claims)
	}
}

// servedVersions returns the conversion strategy of the CRD, and for each version whether it is served.
func (l *lifecycle) servedVersions(t *testing.T) string {
	t.Helper()
	return l.Kubectl(t, nil, "get", "crd", "resourceclaims."+group, "-o",
		"jsonpath={.spec.conversion.strategy} {.spec.versions[*].served}")
}

// caBundles returns the caBundles of the CRDs and webhook configurations that have one.
func (l *lifecycle) caBundles(t *testing.T) []string {
	t.Helper()
	return strings.Fields(l.Kubectl(t, nil, "get", "crd", "resourceclaims."+group, "resourceclaimtemplates."+group,
		"-o", "jsonpath={.items[*].spec.conversion.webhook.clientConfig.caBundle}") + " " +
		l.Kubectl(t, nil, "get", "mutatingwebhookconfiguration,validatingwebhookconfiguration", "claimbridge", "-o",
			"jsonpath={.items[*].webhooks[*].clientConfig.caBundle}"))
}

// awaitCA waits until all caBundles contain a CA.
func (l *lifecycle) awaitCA(t *testing.T, ca []byte) {
	t.Helper()
	await.NoError(t, "the CA is in all caBundles", func() error {
		caBundles := l.caBundles(t)
		for _, caBundle := range caBundles {
			if !bundleContains(caBundle, ca) {
				return errors.New("the CA is not in the caBundle " + caBundle)
			}
		}
		if len(caBundles) != 4 {
			return fmt.Errorf("got %d caBundles, want 4", len(caBundles))
		}
		return nil
	})
}
