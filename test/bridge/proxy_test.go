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

// built is the folder with what the image has, built once.
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

// proxy that runs.
type proxy struct {
	*process.Process
	port int
}

// proxy of a user on a port, until the test ends.
func (c *cluster) proxy(t testing.TB, user string, port int) *proxy {
	t.Helper()
	return startProxy(t, c.kubeconfig(t, user, "default", c.Config.Host), port)
}

func startProxy(t testing.TB, kubeconfig string, port int) *proxy {
	t.Helper()
	path := must.Get(program("claimbridge"))(t)
	p := &proxy{
		process.Start(t, exec.Command(path, "proxy", "--kubeconfig", kubeconfig, "--port", strconv.Itoa(port))),
		port,
	}
	t.Cleanup(func() { _ = p.Kill() }) // whatever it still answers
	await.That(t, "it says where it serves", func() bool {
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

// Whoever brings credentials is asked for with these and no others; whoever brings none is who the kubeconfig says.
func TestTheProxySendsTheCallersCredentials(t *testing.T) {
	c, asked := some()
	p := c.proxy(t, "root", plane.Port(t))
	for name, test := range map[string]struct {
		header, value string
		want          int
	}{
		"none":                      {"", "", http.StatusOK},
		"of a stranger":             {"Authorization", "Bearer nobody", http.StatusForbidden},
		"of nobody":                 {"Authorization", "Bearer no-such-token", http.StatusUnauthorized},
		"that are no token":         {"Authorization", "nonsense", http.StatusForbidden}, // anonymous
		"and another host":          {"Host", "example.com", http.StatusForbidden},
		"from a page of the web":    {"Origin", "https://example.com", http.StatusForbidden},
		"from a picture in a page":  {"Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		"and to act as a stranger":  {"Impersonate-User", "nobody", http.StatusForbidden},
		"of the front proxy's kind": {"X-Remote-User", "nobody", http.StatusBadRequest}, // only a front proxy may send it
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
				p.url()+"/apis/resource.k8s.io/"+asked+"/resourceclaims", nil)
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
			response := must.Get(http.DefaultTransport.RoundTrip(request))(t)
			defer response.Body.Close()
			if response.StatusCode != test.want {
				t.Errorf("%d, not %d", response.StatusCode, test.want)
			}
		})
	}
}

// What is asked below a path that is not the cluster's says nothing of what the cluster has.
func TestOtherPathsChangeNothing(t *testing.T) {
	c, asked := some()
	p := c.proxy(t, "root", plane.Port(t))
	for _, path := range []string{"/openapi/v3", "/somewhere", "/"} {
		for _, asks := range []string{
			path + "/apis/resource.k8s.io",
			path + "/apis/resource.k8s.io/" + asked,
			"/apis/resource.k8s.io/" + asked + "/resourceclaims",
		} {
			response := must.Get(http.Get(p.url() + asks))(t) //nolint:gosec,noctx // of the proxy
			_ = response.Body.Close()
			if warning := response.Header.Get("Warning"); strings.Contains(warning, "enable dynamic resource allocation") {
				t.Errorf("%s: %s", asks, warning)
			}
		}
	}
}

// A proxy that is killed, or hangs, is missed by its own clients alone, which go on by themselves when it is back.
func TestHarm(t *testing.T) {
	c := over(t, "v1beta1")
	namespace, direct := c.space(t)
	port := plane.Port(t)
	p := c.proxy(t, "root", port)
	through := &rest.Config{Host: p.url(), QPS: -1, WarningHandler: rest.NoWarnings{}}
	helper := dra.New(kubernetes.NewForConfigOrDie(through))
	api := helper.ResourceClaims(namespace)
	informer := informerOf(t, dynamicOf(t, through), "v1", namespace)
	get := func() error { _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); return err }
	if err := get(); !apierrors.IsNotFound(err) {
		t.Fatalf("before it is there: %v", err)
	}
	must.Get(api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}))(t)
	others := func(when string) {
		t.Helper()
		createClaim(t, direct, "v1beta1", namespace, when)
		if _, err := resource(direct, "v1beta1", namespace).List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Errorf("%s, a client without it: %v", when, err)
		}
	}
	must.Do(t, p.Pause())
	others("hung")
	must.Do(t, p.Resume())
	must.Do(t, p.Kill())
	if err := get(); err == nil {
		t.Error("a proxy that is dead answers")
	}
	others("killed")
	c.proxy(t, "root", port)
	eventually(t, func() string {
		if err := get(); err != nil {
			return err.Error()
		}
		if found := len(informer.GetStore().List()); found != 3 {
			return "the informer has " + strconv.Itoa(found) + " claims, not 3"
		}
		return ""
	})
	services, err := resourceOf(direct, "apiregistration.k8s.io", "v1", "apiservices").List(t.Context(),
		metav1.ListOptions{})
	if err == nil {
		for _, s := range services.Items {
			if strings.HasSuffix(s.GetName(), ".resource.k8s.io") && s.GetName() != "v1beta1.resource.k8s.io" {
				t.Errorf("the cluster has %s", s.GetName())
			}
		}
	}
}
