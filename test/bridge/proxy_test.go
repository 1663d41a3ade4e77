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

// built returns the folder with the programs of the image, which are built once.
var built = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "claimbridge-proxy-")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", folder, "../../cmd/claimbridge",
		"../../cmd/claimbridge-proxy")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return folder, build.Run()
})

func program(name string) (string, error) {
	folder, err := built()
	return filepath.Join(folder, name), err
}

// proxy is a process of claimbridge proxy.
type proxy struct {
	*process.Process
	port int
}

// startProxy starts a proxy with the kubeconfig of a user, until the test ends.
func (c *cluster) startProxy(t testing.TB, user string, port int) *proxy {
	t.Helper()
	return startProxyWith(t, c.kubeconfig(t, user, "default", c.Config.Host), port)
}

func startProxyWith(t testing.TB, kubeconfig string, port int) *proxy {
	t.Helper()
	path := must.Get(program("claimbridge"))(t)
	p := &proxy{
		process.Start(t, exec.Command(path, "proxy", "--kubeconfig", kubeconfig, "--port", strconv.Itoa(port))),
		port,
	}
	t.Cleanup(func() { _ = p.Kill() }) // without waiting for its requests
	await.True(t, "the proxy prints its address", func() bool {
		return strings.HasPrefix(p.Log.String(), "Starting to serve on 127.0.0.1:"+strconv.Itoa(port)+"\n")
	})
	return p
}

// kubeconfig of a user in a namespace, for the cluster's own server or another one.
func (c *cluster) kubeconfig(t testing.TB, user, namespace, server string) string {
	t.Helper()
	text := strings.ReplaceAll(string(c.KubeconfigOf(t, user, namespace)), c.Config.Host, server)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (p *proxy) url() string { return "http://127.0.0.1:" + strconv.Itoa(p.port) }

// TestProxyCredentials checks that a request with credentials is sent only with these, and any other request with those
// of the kubeconfig.
func TestProxyCredentials(t *testing.T) {
	c, requested := anyPair()
	p := c.startProxy(t, "root", plane.Port(t))
	for name, test := range map[string]struct {
		header, value string
		want          int
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
			if resp.StatusCode != test.want {
				t.Errorf("%d, not %d", resp.StatusCode, test.want)
			}
		})
	}
}

// TestPathsOutsideTheCluster checks that responses below another path do not change the versions that the proxy knows.
func TestPathsOutsideTheCluster(t *testing.T) {
	c, requested := anyPair()
	p := c.startProxy(t, "root", plane.Port(t))
	for _, path := range []string{"/openapi/v3", "/somewhere", "/"} {
		for _, requestPath := range []string{
			path + "/apis/resource.k8s.io",
			path + "/apis/resource.k8s.io/" + requested,
			"/apis/resource.k8s.io/" + requested + "/resourceclaims",
		} {
			resp := must.Get(http.Get(p.url() + requestPath))(t) //nolint:gosec,noctx // of the proxy
			_ = resp.Body.Close()
			if warning := resp.Header.Get("Warning"); strings.Contains(warning, "enable dynamic resource allocation") {
				t.Errorf("%s: %s", requestPath, warning)
			}
		}
	}
}

// TestProxyFailureAffectsOnlyItsClients checks that a proxy that hangs or is killed has no effect on other clients, and
// that its own clients continue when it is started again.
func TestProxyFailureAffectsOnlyItsClients(t *testing.T) {
	c := clusterServing(t, "v1beta1")
	namespace, direct := c.newNamespace(t)
	port := plane.Port(t)
	p := c.startProxy(t, "root", port)
	through := &rest.Config{Host: p.url(), QPS: -1, WarningHandler: rest.NoWarnings{}}
	helper := dra.New(kubernetes.NewForConfigOrDie(through))
	api := helper.ResourceClaims(namespace)
	informer := informerOf(t, dynamicClient(t, through), "v1", namespace)
	get := func() error { _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); return err }
	if err := get(); !apierrors.IsNotFound(err) {
		t.Fatalf("before the claim exists: %v", err)
	}
	must.Get(api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}))(t)
	checkOthers := func(when string) {
		t.Helper()
		createClaim(t, direct, "v1beta1", namespace, when)
		if _, err := claimClient(direct, "v1beta1", namespace).List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Errorf("%s: a client without the proxy: %v", when, err)
		}
	}
	must.Do(t, p.Pause())
	checkOthers("hung")
	must.Do(t, p.Resume())
	must.Do(t, p.Kill())
	if err := get(); err == nil {
		t.Error("a killed proxy responds")
	}
	checkOthers("killed")
	c.startProxy(t, "root", port)
	eventually(t, func() string {
		if err := get(); err != nil {
			return err.Error()
		}
		if found := len(informer.GetStore().List()); found != 3 {
			return "the informer has " + strconv.Itoa(found) + " claims, not 3"
		}
		return ""
	})
	services, err := resourceClient(direct, "apiregistration.k8s.io", "v1", "apiservices").List(t.Context(),
		metav1.ListOptions{})
	if err == nil {
		for _, s := range services.Items {
			if strings.HasSuffix(s.GetName(), ".resource.k8s.io") && s.GetName() != "v1beta1.resource.k8s.io" {
				t.Errorf("the cluster has %s", s.GetName())
			}
		}
	}
}
