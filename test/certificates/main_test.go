//go:build e2e

package certificates

import (
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
)

// cluster is shared by all tests. Each test has a separate API group, namespace and names.
var cluster struct {
	*plane.Plane
	core     kubernetes.Interface
	dynamic  dynamic.Interface
	clientCA *certs.Authority // signs the client certificate of the API server
}

// clientName in the certificate of the API server.
const clientName = "kube-apiserver"

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // otherwise controller-runtime logs a warning
	flag.Parse()
	os.Exit(controlplane.Main(clusterTests{m})) //nolint:forbidigo // TestMain
}

// clusterTests starts the cluster before the tests, and stops it after them.
type clusterTests struct{ *testing.M }

func (m clusterTests) Run() int {
	folder, err := os.MkdirTemp("", "claimbridge-certificates-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	// These tests wait for certificates to expire more than they compute. With twelve at once, the API server of a
	// loaded machine took more than ten seconds to patch a CRD.
	if err := errors.Join(startCluster(folder), flag.Set("test.parallel", "8")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.M.Run()
	if err := cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}

// startCluster starts the cluster, with the CRDs of cert-manager if the tests use it.
func startCluster(folder string) (err error) {
	o := plane.Options{Users: []plane.User{plane.Administrator}}
	if !testing.Short() {
		if o.Definitions, err = certManagerDefinitions(); err != nil {
			return err
		}
	}
	if o.Flags, err = admissionFlags(folder); err != nil {
		return err
	}
	if cluster.Plane, err = plane.Start(o); err != nil {
		return err
	}
	if cluster.core, err = kubernetes.NewForConfig(cluster.Config); err != nil {
		return err
	}
	cluster.dynamic, err = dynamic.NewForConfig(cluster.Config)
	return err
}

// admissionFlags returns flags that make the API server present a client certificate to admission webhooks. An
// admission configuration is the only way to do so.
func admissionFlags(folder string) (flags map[string]string, err error) {
	if cluster.clientCA, err = certs.NewAuthority("clients", certs.Day); err != nil {
		return nil, err
	}
	pair, err := cluster.clientCA.Sign(certs.Leaf{
		Name:  clientName,
		Usage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return nil, err
	}
	file := func(name string) string { return filepath.Join(folder, name) }
	for name, content := range map[string]string{
		"client.crt": string(pair.Certificate), "client.key": string(pair.Key),
		"kubeconfig": `{"apiVersion":"v1","kind":"Config","users":[{"name":"*","user":{"client-certificate":"` +
			file("client.crt") +
			`","client-key":"` + file("client.key") + `"}}]}`,
		"admission": `{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AdmissionConfiguration",` +
			`"plugins":[{"name":"ValidatingAdmissionWebhook",` +
			`"configuration":{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration",` +
			`"kubeConfigFile":"` + file("kubeconfig") + `"}},` +
			`{"name":"MutatingAdmissionWebhook",` +
			`"configuration":{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration",` +
			`"kubeConfigFile":"` + file("kubeconfig") + `"}}]}`,
	} {
		if err := os.WriteFile(file(name), []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	return map[string]string{"admission-control-config-file": file("admission")}, nil
}
