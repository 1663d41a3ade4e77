//go:build e2e

package certificates

import (
	"context"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

// cluster that all tests share. Each has a group, a namespace and names of its own in it.
var cluster struct {
	config     *rest.Config // of an administrator
	kubeconfig []byte
	core       kubernetes.Interface
	dynamic    dynamic.Interface
	clientCA   *testCA // of the certificate that the API server shows to webhooks
}

// clientName in the certificate of the API server.
const clientName = "kube-apiserver"

func TestMain(m *testing.M) {
	os.Exit(controlplane.Main(withCluster{m})) //nolint:forbidigo // TestMain
}

// withCluster are tests between the start and the stop of the cluster.
type withCluster struct{ *testing.M }

func (m withCluster) Run() int {
	folder, err := os.MkdirTemp("", "claimbridge-certificates-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	environment := &envtest.Environment{ErrorIfCRDPathMissing: true}
	if err := errors.Join(addCertManager(environment), identify(environment, folder), start(environment)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// These tests wait for certificates to grow old more than they compute.
	if err := flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.M.Run()
	if err := environment.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}

// identify the API server to the webhooks that it calls for admission: it is the only way to give it a certificate for
// them.
func identify(environment *envtest.Environment, folder string) (err error) {
	if cluster.clientCA, err = makeCA("clients", time.Now(), time.Hour); err != nil {
		return err
	}
	certificate, key, err := cluster.clientCA.makePair(clientName, x509.ExtKeyUsageClientAuth)
	if err != nil {
		return err
	}
	file := func(name string) string { return filepath.Join(folder, name) }
	for name, content := range map[string]string{
		"client.crt": string(certificate), "client.key": string(key),
		"kubeconfig": `{"apiVersion":"v1","kind":"Config","users":[{"name":"*","user":{"client-certificate":"` + file("client.crt") +
			`","client-key":"` + file("client.key") + `"}}]}`,
		"admission": `{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AdmissionConfiguration","plugins":[{"name":"ValidatingAdmissionWebhook",` +
			`"configuration":{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration","kubeConfigFile":"` + file("kubeconfig") + `"}},` +
			`{"name":"MutatingAdmissionWebhook",` +
			`"configuration":{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration","kubeConfigFile":"` + file("kubeconfig") + `"}}]}`,
	} {
		if err := os.WriteFile(file(name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	environment.ControlPlane.GetAPIServer().Configure().Append("admission-control-config-file", file("admission"))
	return nil
}

func start(environment *envtest.Environment) (err error) {
	if cluster.config, err = environment.Start(); err != nil {
		return err
	}
	cluster.config.QPS = -1
	cluster.config.WarningHandlerWithContext = silent{}
	admin, err := environment.AddUser(envtest.User{Name: "admin", Groups: []string{"system:masters"}}, cluster.config)
	if err != nil {
		return err
	}
	if cluster.kubeconfig, err = admin.KubeConfig(); err != nil {
		return err
	}
	if cluster.core, err = kubernetes.NewForConfig(cluster.config); err != nil {
		return err
	}
	cluster.dynamic, err = dynamic.NewForConfig(cluster.config)
	return err
}

// silent about deprecated versions, which are called on purpose.
type silent struct{}

func (silent) HandleWarningHeaderWithContext(context.Context, int, string, string) {}
