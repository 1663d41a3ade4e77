//go:build e2e

package bridge

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	dra "k8s.io/dynamic-resource-allocation/client"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// buildPrograms builds the programs in the image once, and returns their folder.
var buildPrograms = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "claimbridge-proxy-")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", folder, "../../cmd/claimbridge",
		"../../cmd/claimbridge-proxy")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	return folder, build.Run()
})

// programPath returns the path of claimbridge or claimbridge-proxy.
func programPath(name string) (string, error) {
	folder, err := buildPrograms()
	return filepath.Join(folder, name), err
}

// proxy is a process of claimbridge proxy.
type proxy struct {
	*process.Process
	port int
}

// startProxy starts a proxy with the kubeconfig of a user. The proxy runs until the test ends.
func (c *cluster) startProxy(t testing.TB, user string, port int) *proxy {
	t.Helper()
	return startProxyWith(t, c.kubeconfig(t, user, "default", c.Config.Host), port)
}

// startProxyWith starts a proxy with a kubeconfig, and waits until it listens.
func startProxyWith(t testing.TB, kubeconfig string, port int) *proxy {
	t.Helper()
	path := must.Get(programPath("claimbridge"))(t)
	command := exec.Command(path, "proxy", "--kubeconfig", kubeconfig, "--port", strconv.Itoa(port))
	p := &proxy{Process: process.Start(t, command), port: port}
	t.Cleanup(func() { _ = p.Kill() }) // without waiting for its requests
	await.True(t, "the proxy prints its address", func() bool {
		return strings.HasPrefix(p.Log.String(), "Starting to serve on 127.0.0.1:"+strconv.Itoa(port)+"\n")
	})
	return p
}

// kubeconfig writes a kubeconfig of a user in a namespace, for a server, and returns its path.
func (c *cluster) kubeconfig(t testing.TB, user, namespace, server string) string {
	t.Helper()
	text := strings.ReplaceAll(string(c.KubeconfigOf(t, user, namespace)), c.Config.Host, server)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (p *proxy) url() string { return "http://127.0.0.1:" + strconv.Itoa(p.port) }

// TestProxyCredentials checks that the proxy forwards the credentials of a request, and adds those of the kubeconfig to
// requests without credentials.
func TestProxyCredentials(t *testing.T) {
	c, requested := anyPair()
	p := c.startProxy(t, "root", plane.Port(t))
	for name, test := range map[string]struct {
		header, value string
		wantStatus    int
	}{
		"no credentials":                    {"", "", http.StatusOK},
		"user without permissions":          {"Authorization", "Bearer nobody", http.StatusForbidden},
		"invalid token":                     {"Authorization", "Bearer no-such-token", http.StatusUnauthorized},
		"malformed header":                  {"Authorization", "nonsense", http.StatusForbidden}, // anonymous
		"another host":                      {"Host", "example.com", http.StatusForbidden},
		"web page of another origin":        {"Origin", "https://example.com", http.StatusForbidden},
		"image in a web page":               {"Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		"impersonation":                     {"Impersonate-User", "nobody", http.StatusForbidden},
		"header of an authenticating proxy": {"X-Remote-User", "nobody", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
				p.url()+"/apis/resource.k8s.io/"+requested+"/resourceclaims", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set(test.header, test.value)
			if test.header == "" {
				request.Header = http.Header{}
			}
			if test.header == "Host" {
				request.Host = test.value
			}
			resp := must.Get(http.DefaultTransport.RoundTrip(request))(t)
			defer resp.Body.Close()
			if resp.StatusCode != test.wantStatus {
				t.Errorf("got status %d, want %d", resp.StatusCode, test.wantStatus)
			}
		})
	}
}

// TestPathsBelowAnotherPathAreNotDiscovery checks that responses below another path do not change the served versions
// that the proxy discovered.
func TestPathsBelowAnotherPathAreNotDiscovery(t *testing.T) {
	c, requested := anyPair()
	p := c.startProxy(t, "root", plane.Port(t))
	for _, prefix := range []string{"/openapi/v3", "/somewhere", "/"} {
		for _, path := range []string{
			prefix + "/apis/resource.k8s.io",
			prefix + "/apis/resource.k8s.io/" + requested,
			"/apis/resource.k8s.io/" + requested + "/resourceclaims",
		} {
			resp := must.Get(http.Get(p.url() + path))(t) //nolint:gosec,noctx // the URL is of the proxy
			_ = resp.Body.Close()
			if warning := resp.Header.Get("Warning"); strings.Contains(warning, "enable dynamic resource allocation") {
				t.Errorf("%s: got the warning %q, which says that the cluster does not serve the group", path, warning)
			}
		}
	}
}

// TestProxyFailureAffectsOnlyItsClients checks that a proxy that hangs or is killed has no effect on other clients, and
// that its own clients continue when it is started again.
func TestProxyFailureAffectsOnlyItsClients(t *testing.T) {
	c := clusterServing(t, "v1beta1")
	namespace, directClient := c.newNamespace(t)
	port := plane.Port(t)
	p := c.startProxy(t, "root", port)
	proxyConfig := &rest.Config{Host: p.url(), QPS: -1, WarningHandler: rest.NoWarnings{}}
	api := dra.New(kubernetes.NewForConfigOrDie(proxyConfig)).ResourceClaims(namespace)
	informer := informerOf(t, dynamicClient(t, proxyConfig), "v1", namespace)
	get := func() error {
		_, err := api.Get(t.Context(), "a", metav1.GetOptions{})
		return err
	}
	if err := get(); !apierrors.IsNotFound(err) {
		t.Fatalf("before the claim exists: got error %v, want NotFound", err)
	}
	must.Get(api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}))(t)
	checkDirectClient := func(claimName string) {
		t.Helper()
		createClaim(t, directClient, "v1beta1", namespace, claimName)
		if _, err := claimClient(directClient, "v1beta1", namespace).List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Errorf("list by a client without the proxy after creating %s: %v", claimName, err)
		}
	}
	must.Do(t, p.Pause())
	checkDirectClient("created-while-proxy-hangs")
	must.Do(t, p.Resume())
	must.Do(t, p.Kill())
	if err := get(); err == nil {
		t.Error("get through a killed proxy: got no error, want one")
	}
	checkDirectClient("created-without-proxy")
	c.startProxy(t, "root", port)
	eventually(t, func() string {
		if err := get(); err != nil {
			return err.Error()
		}
		if got := len(informer.GetStore().List()); got != 3 {
			return "the informer has " + strconv.Itoa(got) + " claims, want 3"
		}
		return ""
	})
	apiServices, err := resourceClient(directClient, "apiregistration.k8s.io", "v1", "apiservices").List(t.Context(),
		metav1.ListOptions{})
	if err == nil {
		for _, s := range apiServices.Items {
			if strings.HasSuffix(s.GetName(), ".resource.k8s.io") && s.GetName() != "v1beta1.resource.k8s.io" {
				t.Errorf("got the APIService %s, want only v1beta1.resource.k8s.io of the group", s.GetName())
			}
		}
	}
}
