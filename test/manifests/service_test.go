//go:build e2e

package manifests

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook"
)

// The manifests with a server where their Service leads, which has no rights but those of its account. The Service is made
// one of type ExternalName, since there are no pods. All else stays, and fits together: names, paths, group, rules and roles.
func (c *cluster) service(t *testing.T) {
	const group, namespace = "service.example.com", "service"
	part := func(p config.Part) []byte {
		return manifests(t, config.Options{Group: group, Namespace: namespace, Certificates: config.Self, Only: p})
	}
	c.run(t, part(config.ServerPart), "apply", "--server-side", "-f", "-")
	server := serve(t, webhook.Options{
		Groups: []string{group}, BindAddress: "127.0.0.1", SecurePort: -1, ShutdownTimeout: time.Second, MetricsBindAddress: ":0",
		CertificateSecret: namespace + "/claimbridge-ca", DNSNames: []string{"claimbridge." + namespace + ".svc"},
		Kubeconfig: c.kubeconfigOf(t, namespace, "claimbridge"),
	})
	c.run(t, nil, "patch", "service", "claimbridge", "-n", namespace, "--type=json", "-p",
		`[{"op": "replace", "path": "/spec", "value": {"type": "ExternalName", "externalName": "127.0.0.1"}}]`)
	_, port, err := net.SplitHostPort(server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []config.Part{config.CRDsPart, config.WebhooksPart} {
		stream := bytes.ReplaceAll(part(p), []byte("port: 443\n"), []byte("port: "+port+"\n"))
		c.run(t, stream, "apply", "--server-side", "-f", "-")
	}
	c.run(t, nil, "wait", "--for=condition=Established", "--timeout=60s", "crd/resourceclaims."+group)
	c.claims(t, group)
	c.symptoms(t, group)
	c.metrics(t, namespace, server)
}

func (c *cluster) claims(t *testing.T, group string) {
	claim := func(version, name, spec string) []byte {
		return fmt.Appendf(nil, "{apiVersion: %s/%s, kind: ResourceClaim, metadata: {name: %s, namespace: default}, spec: %s}", group, version, name, spec)
	}
	// The API server learns of all that in its own time.
	output := ""
	if err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		output, _ = c.try(ctx, claim("v1alpha1", "bad", "{resourceClassName: Not a name}"), "create", "-f", "-")
		return strings.Contains(output, "spec.resourceClassName: Invalid value"), nil
	}); err != nil {
		t.Fatalf("the validating webhook is not called: %v\n%s", err, output)
	}
	c.run(t, claim("v1alpha1", "old", "{resourceClassName: gpu.example.com}"), "create", "-f", "-")
	c.run(t, claim("v1alpha3", "new", "{devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}"), "create", "-f", "-")
	for _, test := range []struct{ version, name, path, want string }{
		{"v1alpha3", "old", "{.spec.devices.requests[0].deviceClassName}", "gpu.example.com"},
		{"v1alpha1", "new", "{.spec.resourceClassName}", "gpu.example.com"},
		{"v1alpha3", "new", "{.spec.devices.requests[0].count}", "1"}, // by /default: the schema has no default for it
		{"v1", "new", "{.spec.devices.requests[0].exactly.count}", "1"},
	} {
		got := c.run(t, nil, "get", "resourceclaims."+test.version+"."+group, test.name, "-o", "jsonpath="+test.path)
		if !strings.HasSuffix(got, test.want) { // after a warning about the old version
			t.Errorf("%s in %s: %s is %q", test.name, test.version, test.path, got)
		}
	}
}

// kubeconfigOf writes a file for an account, and for nobody else.
func (c *cluster) kubeconfigOf(t *testing.T, namespace, account string) string {
	t.Helper()
	kubeconfig := clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"a": {Server: c.rest.Host, CertificateAuthorityData: c.rest.CAData}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"a": {Token: c.token(t, namespace, account)}},
		Contexts:       map[string]*clientcmdapi.Context{"a": {Cluster: "a", AuthInfo: "a"}},
		CurrentContext: "a",
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(kubeconfig, file); err != nil {
		t.Fatal(err)
	}
	return file
}

func (c *cluster) token(t *testing.T, namespace, account string) string {
	t.Helper()
	return strings.TrimSpace(c.run(t, nil, "create", "token", account, "-n", namespace))
}

func serve(t *testing.T, o webhook.Options) *webhook.Server {
	t.Helper()
	server, err := webhook.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	stopped := make(chan error, 1)
	go func() {
		stopped <- server.Run(ctx)
		close(stopped)
	}()
	t.Cleanup(func() {
		stop()
		if err, running := <-stopped; running && err != nil {
			t.Log(err) // the API server may hold a connection that it has not used yet
		}
	})
	select {
	case <-server.Started():
	case err := <-stopped:
		t.Fatal(err)
	}
	return server
}
