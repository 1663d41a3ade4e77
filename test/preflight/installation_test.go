//go:build e2e

package preflight

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/go-logr/logr"

	servingcerts "github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// startControlPlane starts a control plane. With --enable-aggregator-routing, the API server calls the address in an
// EndpointSlice, and does not need a network for Services.
func startControlPlane(t *testing.T, runtimeConfig string) *plane.Plane {
	t.Helper()
	return plane.New(t,
		plane.Options{RuntimeConfig: runtimeConfig, Users: []plane.User{plane.Administrator}, Flags: map[string]string{
			// They do not remove the Service kubernetes.
			"enable-aggregator-routing": "true",
			"endpoint-reconciler-type":  "",
			"authorization-mode":        "RBAC",
			"enable-admission-plugins":  "",
		}})
}

const (
	group     = "resource.k8s.io"
	namespace = "claimbridge-system"
	name      = "claimbridge"
	dnsName   = name + "." + namespace + ".svc"
)

// servedVersions are the versions in the definitions of this suite. They are few, because each one makes a change of a
// definition slower, and the faults change definitions some three hundred times.
var servedVersions = []string{"v1alpha1", "v1alpha2", "v1"}

// installation of claimbridge in a control plane, with the objects and statuses that controllers would write.
type installation struct {
	client.Client
	config    *rest.Config
	group     string
	authority *certs.Authority
	etcdURL   string
	// serverAddress is the address of the server.
	serverAddress *net.TCPAddr
	// stopServer stops the server. It is not started again.
	stopServer func()
	// objects in the healthy state. The last three are the EndpointSlice, the claim and the template.
	objects []client.Object
	// resourceVersions of the objects in the healthy state.
	resourceVersions map[client.Object]string
}

// install installs the manifests, a server in this process with its EndpointSlice, a claim and a template.
func install(t *testing.T, cluster *rest.Config, group string) *installation {
	t.Helper()
	i := newInstallation(t, cluster, group)
	i.objects = append(i.objects, parseObjects(t, []byte(claimAndTemplateYAML(group)))...)
	i.restore(t)
	return i
}

// newInstallation returns an installation without a claim and a template. Its objects are not in the cluster yet.
func newInstallation(t *testing.T, cluster *rest.Config, group string) *installation {
	t.Helper()
	i := &installation{
		config:           cluster,
		group:            group,
		authority:        certs.New(t, "test CA", validities[""]),
		resourceVersions: map[client.Object]string{},
	}
	scheme := runtime.NewScheme()
	must.Do(t, errors.Join(clientgoscheme.AddToScheme(scheme), apiextensionsv1.AddToScheme(scheme)))
	i.Client = must.Get(client.New(cluster, client.Options{Scheme: scheme}))(t)
	certificate, key := i.issueCertificate(t, installedCA, "", dnsName, machineAddress(t))
	i.serverAddress, i.stopServer = startClaimbridge(t, group, certificate, key)
	manifests := must.Get(config.Manifests(config.Options{
		Group: group, Certificates: config.Files, CABundle: i.authority.Certificate, Versions: servedVersions,
	}))(t)
	i.objects = append(parseObjects(t, manifests), tlsSecret(certificate, key), newEndpointSlice(i.serverAddress))
	return i
}

// claimAndTemplate returns the claim and the template of the installation.
func (i *installation) claimAndTemplate() []client.Object { return i.objects[len(i.objects)-2:] }

// endpointSlice returns the EndpointSlice of the installation.
func (i *installation) endpointSlice() client.Object { return i.objects[len(i.objects)-3] }

// startClaimbridge starts a server on an address that is valid in an EndpointSlice, which a loopback address is not.
// The server is stopped when the test ends.
func startClaimbridge(t *testing.T, group string, certificate, key []byte) (address *net.TCPAddr, stop func()) {
	t.Helper()
	folder := t.TempDir()
	write := func(file string, content []byte) string {
		path := filepath.Join(folder, file)
		must.Do(t, os.WriteFile(path, content, 0o600))
		return path
	}
	files := servingcerts.Files{CertFile: write("tls.crt", certificate), KeyFile: write("tls.key", key)}
	server := must.Get(webhook.New(webhook.Options{
		Groups: []string{group}, BindAddress: machineAddress(t), SecurePort: -1, MetricsBindAddress: "0",
		Certificates: must.Get(files.Open(klog.Background()))(t),
	}))(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	<-server.Started()
	return server.Addr().(*net.TCPAddr), stop
}

// machineAddress returns an address of this machine that is not a loopback address.
func machineAddress(t *testing.T) string {
	t.Helper()
	addresses := must.Get(net.InterfaceAddrs())(t)
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	t.Skip("this machine has only a loopback IPv4 address, which is not valid in an EndpointSlice")
	return ""
}

// parseObjects returns the objects of a YAML stream.
func parseObjects(t *testing.T, text []byte) (objects []client.Object) {
	t.Helper()
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		switch err := decoder.Decode(object); {
		case errors.Is(err, io.EOF):
			return objects
		case err != nil:
			t.Fatal(err)
		case len(object.Object) > 0:
			objects = append(objects, object)
		}
	}
}

func tlsSecret(certificate, key []byte) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "claimbridge-tls"}, Type: corev1.SecretTypeTLS,
		Data: map[string][]byte{corev1.TLSCertKey: certificate, corev1.TLSPrivateKeyKey: key},
	}
}

func newEndpointSlice(address *net.TCPAddr) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace,
			Name:      name,
			Labels:    map[string]string{discoveryv1.LabelServiceName: name},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports: []discoveryv1.EndpointPort{
			{Name: ptr.To("webhook"), Port: ptr.To(int32(address.Port)), Protocol: ptr.To(corev1.ProtocolTCP)},
		},
		Endpoints: []discoveryv1.Endpoint{
			{Addresses: []string{address.IP.String()}, Conditions: discoveryv1.EndpointConditions{Ready: ptr.To(true)}},
		},
	}
}

// claimAndTemplateYAML returns a claim and a template, which the API server converts for clients of older versions.
func claimAndTemplateYAML(group string) string {
	return `
apiVersion: ` + group + `/v1
kind: ResourceClaim
metadata: {namespace: default, name: a}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
---
apiVersion: ` + group + `/v1
kind: ResourceClaimTemplate
metadata: {namespace: default, name: a}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
`
}
