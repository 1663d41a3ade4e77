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

// start starts a control plane. With --enable-aggregator-routing, the API server calls the address in an EndpointSlice,
// and does not need a network of Services.
func start(t *testing.T, runtimeConfig string) *plane.Plane {
	t.Helper()
	return plane.New(t,
		plane.Options{RuntimeConfig: runtimeConfig, Users: []plane.User{plane.Administrator}, Flags: map[string]string{
			// These do not remove the Service kubernetes.
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

// served are the versions of this suite. They are few, because each one makes a change of a definition slower, and the
// faults change definitions some three hundred times.
var served = []string{"v1alpha1", "v1alpha2", "v1"}

// installation of claimbridge in a control plane, with the objects and statuses that controllers would write.
type installation struct {
	client.Client
	config    *rest.Config
	group     string
	authority *certs.Authority
	// certificate of the server, in PEM.
	certificate []byte
	// address of the server.
	address *net.TCPAddr
	etcdURL string
	// stop stops the server. It is not started again.
	stop func()
	// objects in the healthy state.
	objects []client.Object
	// versions are the resourceVersions of the objects in the healthy state.
	versions map[client.Object]string
}

// install installs the manifests, a server in this process with its EndpointSlice, a claim and a template.
func install(t *testing.T, cluster *rest.Config, group string) *installation {
	t.Helper()
	i := newInstallation(t, cluster, group)
	i.objects = append(i.objects, parse(t, []byte(stored(group)))...)
	i.restore(t)
	return i
}

// newInstallation returns an installation without a claim and a template. Its objects are not in the cluster yet.
func newInstallation(t *testing.T, cluster *rest.Config, group string) *installation {
	t.Helper()
	i := &installation{
		config:    cluster,
		group:     group,
		authority: certs.New(t, "test CA", validities[""]),
		versions:  map[client.Object]string{},
	}
	scheme := runtime.NewScheme()
	must.Do(t, errors.Join(clientgoscheme.AddToScheme(scheme), apiextensionsv1.AddToScheme(scheme)))
	i.Client = must.Get(client.New(cluster, client.Options{Scheme: scheme}))(t)
	var key []byte
	i.certificate, key = i.leaf(t, "ours", "", dnsName, machine(t))
	i.address = i.serve(t, key)
	manifests := must.Get(config.Manifests(config.Options{
		Group: group, Certificates: config.Files, CABundle: i.authority.Certificate, Versions: served,
	}))(t)
	i.objects = append(parse(t, manifests), i.secret(key), endpoints(i.address))
	return i
}

// serve starts a server on an address that is valid in an EndpointSlice, which a loopback address is not.
func (i *installation) serve(t *testing.T, key []byte) *net.TCPAddr {
	t.Helper()
	folder := t.TempDir()
	write := func(file string, content []byte) string {
		path := filepath.Join(folder, file)
		must.Do(t, os.WriteFile(path, content, 0o600))
		return path
	}
	files := servingcerts.Files{CertFile: write("tls.crt", i.certificate), KeyFile: write("tls.key", key)}
	server := must.Get(webhook.New(webhook.Options{
		Groups: []string{i.group}, BindAddress: machine(t), SecurePort: -1, MetricsBindAddress: "0",
		Certificates: must.Get(files.Open(klog.Background()))(t),
	}))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	i.stop = sync.OnceFunc(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(i.stop)
	<-server.Started()
	return server.Addr().(*net.TCPAddr)
}

// machine returns an address of this machine that is not a loopback address.
func machine(t *testing.T) string {
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

func parse(t *testing.T, text []byte) (objects []client.Object) {
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

func (i *installation) secret(key []byte) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "claimbridge-tls"}, Type: corev1.SecretTypeTLS,
		Data: map[string][]byte{corev1.TLSCertKey: i.certificate, corev1.TLSPrivateKeyKey: key},
	}
}

func endpoints(address *net.TCPAddr) *discoveryv1.EndpointSlice {
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

// stored returns a claim and a template, which the API server converts for clients of older versions.
func stored(group string) string {
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
