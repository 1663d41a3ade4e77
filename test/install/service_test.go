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

// here is the host of the Service, which has the type ExternalName because there are no pods. Names, paths, group,
// rules and roles are those of the installation.
func (l *life) here(t *testing.T) {
	t.Helper()
	l.Kubectl(t, nil, "patch", "service", "claimbridge", "-n", namespace, "--type=merge", "-p",
		`{"spec":{"type":"ExternalName","externalName":"127.0.0.1"}}`)
}

// serves runs the server at the port of the Service, with the permissions of the account, if it signs its certificates.
func (l *life) serves(t *testing.T) {
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
	l.server, l.stop = server, func() {
		cancel()
		<-stopped //nolint:errcheck // an error where the API server holds a connection that it has not used yet
	}
	select {
	case <-server.Started():
	case err := <-stopped:
		t.Fatal(err)
	}
}

// configOf returns the configuration of an account, with a token like that of its pods.
func (c *cluster) configOf(t *testing.T, namespace, account string) *rest.Config {
	t.Helper()
	token := must.Get(c.Token(t.Context(), namespace, account, nil))(t)
	config := rest.AnonymousClientConfig(c.Config)
	config.BearerToken, config.QPS = token, -1
	return config
}

func claim(group, version, name, spec string) string {
	return fmt.Sprintf("{apiVersion: %s/%s, kind: ResourceClaim, metadata: {name: %s, namespace: default}, spec: %s}",
		group, version, name, spec)
}

// converts checks that two claims are converted, defaulted and validated, as soon as the API server uses the webhook.
// The claims remain.
func (l *life) converts(t *testing.T) {
	l.says(t, "spec.resourceClassName: Invalid value",
		claim(group, "v1alpha1", "bad", "{resourceClassName: Not a name}"), "create", "-f", "-")
	l.says(t, "created", claim(group, "v1alpha1", "old", "{resourceClassName: gpu.example.com}"), "create", "-f", "-")
	l.says(t, "created",
		claim(group, "v1alpha3", "new", "{devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}"),
		"create", "-f", "-")
	for _, test := range []struct{ version, name, path, want string }{
		{"v1alpha3", "old", "{.spec.devices.requests[0].deviceClassName}", "gpu.example.com"},
		{"v1alpha1", "new", "{.spec.resourceClassName}", "gpu.example.com"},
		{"v1alpha3", "new", "{.spec.devices.requests[0].count}", "1"}, // by /default: the schema has no default for it
		{"v1", "new", "{.spec.devices.requests[0].exactly.count}", "1"},
	} {
		got := l.Kubectl(t, nil, "get", "resourceclaims."+test.version+"."+group, test.name, "-o",
			"jsonpath="+test.path)
		if !strings.HasSuffix(got, test.want) { // after a warning about the old version
			t.Errorf("%s in %s: %s is %q", test.name, test.version, test.path, got)
		}
	}
	l.alive(t, "install")
}

// alive checks that the first claims can be read and written in old versions.
func (l *life) alive(t *testing.T, after string) {
	t.Helper()
	l.unchanged(t, after)
	for _, name := range []string{"old", "new"} {
		l.says(t, "gpu.example.com", "", "get", "resourceclaims.v1alpha2."+group, name, "-o",
			"jsonpath={.spec.resourceClassName}")
		l.says(t, "annotated", "", "annotate", "--overwrite", "resourceclaims.v1alpha3."+group, name,
			"after="+strings.ReplaceAll(after, " ", "-"))
	}
}

// unchanged checks the claims in v1, which can be read without the server.
func (l *life) unchanged(t *testing.T, after string) {
	t.Helper()
	got := l.Kubectl(t, nil, "get", "resourceclaims.v1."+group, "-o",
		`jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.spec}{"\n"}{end}`)
	if l.claims == "" {
		l.claims = got
	}
	if got != l.claims {
		t.Errorf("after the %s claims are\n%s\nand were\n%s", after, got, l.claims)
	}
}

// conversion returns the conversion strategy of the definition, and which versions are served.
func (l *life) conversion(t *testing.T) string {
	t.Helper()
	return l.Kubectl(t, nil, "get", "crd", "resourceclaims."+group, "-o",
		"jsonpath={.spec.conversion.strategy} {.spec.versions[*].served}")
}

// bundles returns the caBundles, which only the server may change.
func (l *life) bundles(t *testing.T) []string {
	t.Helper()
	return strings.Fields(l.Kubectl(t, nil, "get", "crd", "resourceclaims."+group, "resourceclaimtemplates."+group,
		"-o", "jsonpath={.items[*].spec.conversion.webhook.clientConfig.caBundle}") + " " +
		l.Kubectl(t, nil, "get", "mutatingwebhookconfiguration,validatingwebhookconfiguration", "claimbridge", "-o",
			"jsonpath={.items[*].webhooks[*].clientConfig.caBundle}"))
}

// published waits until a CA is in all bundles.
func (l *life) published(t *testing.T, ca []byte) {
	t.Helper()
	await.NoError(t, "the CA is in all bundles", func() error {
		all := l.bundles(t)
		for _, bundle := range all {
			if !inBundle(bundle, ca) {
				return errors.New("it is not in " + bundle)
			}
		}
		if len(all) != 4 {
			return fmt.Errorf("%d objects have a caBundle, not 4", len(all))
		}
		return nil
	})
}
