package manifests

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook"
)

// The manifests with a server where their Service leads. It is made one of type ExternalName, since there are no pods; all
// else that the API server is told stays, and fits together: names, paths, CA, group and rules.
func (c *cluster) service(t *testing.T) {
	const group, namespace = "service.example.com", "service"
	ca, port := serve(t, group, "claimbridge."+namespace+".svc")
	part := func(p config.Part) []byte {
		text := manifests(t, config.Options{Group: group, Namespace: namespace, Certificates: config.Files, CABundle: ca, Only: p})
		return bytes.ReplaceAll(text, []byte("port: 443\n"), []byte("port: "+port+"\n"))
	}
	c.run(t, part(config.ServerPart), "apply", "--server-side", "-f", "-")
	c.run(t, nil, "patch", "service", "claimbridge", "-n", namespace, "--type=json", "-p",
		`[{"op": "replace", "path": "/spec", "value": {"type": "ExternalName", "externalName": "127.0.0.1"}}]`)
	for _, p := range []config.Part{config.CRDsPart, config.WebhooksPart} {
		c.run(t, part(p), "apply", "--server-side", "--force-conflicts", "-f", "-") // others wrote a caBundle before
	}
	c.run(t, nil, "wait", "--for=condition=Established", "--timeout=60s", "crd/resourceclaims."+group)

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
	} {
		got := c.run(t, nil, "get", "resourceclaims."+test.version+"."+group, test.name, "-o", "jsonpath="+test.path)
		if !strings.HasSuffix(got, test.want) { // after a warning about the old version
			t.Errorf("%s in %s: %s is %q", test.name, test.version, test.path, got)
		}
	}
}

// serve on a free port of this machine, with a certificate for a name. It gives the CA and the port.
func serve(t *testing.T, group, name string) (ca []byte, port string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.crt")
	server, err := webhook.New(webhook.Options{Groups: []string{group}, DNSNames: []string{name}, CAFile: file,
		BindAddress: "127.0.0.1", SecurePort: -1, MetricsBindAddress: "0", ShutdownTimeout: time.Second})
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
		<-stopped // with an error when the API server holds a connection that it has not used yet
	})
	select {
	case <-server.Started():
	case err := <-stopped:
		t.Fatal(err)
	}
	if ca, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	if _, port, err = net.SplitHostPort(server.Addr().String()); err != nil {
		t.Fatal(err)
	}
	return ca, port
}
