//go:build e2e

package bridge

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// account is where pods have what they are known by. A sidecar in a test has a mount of its own there.
const account = "/var/run/secrets/kubernetes.io/serviceaccount"

// A sidecar serves by TLS what in-cluster configurations read, sends the token of its clients and none of its own, and is the same server when
// it was killed and started again.
func TestSidecar(t *testing.T) {
	c := over(t, "v1beta1")
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skip("this process may not mount: ", err)
	}
	namespace, _ := c.space(t)
	pod, folder, port := t.TempDir(), t.TempDir(), plane.Port(t)
	for name, data := range map[string][]byte{"token": []byte("writer"), "namespace": []byte(namespace), "ca.crt": c.Config.CAData} {
		if err := os.WriteFile(filepath.Join(pod, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start := func() *exec.Cmd {
		path, err := program()
		if err != nil {
			t.Fatal(err)
		}
		host, err := url.Parse(c.Config.Host)
		if err != nil {
			t.Fatal(err)
		}
		sidecar := exec.Command("unshare", "-m", "sh", "-c", `mkdir -p `+account+` && mount --bind "$1" `+account+` && exec "$2" proxy --in-cluster "$3" --port "$4"`,
			"sh", pod, path, folder, strconv.Itoa(port))
		sidecar.Env = append(os.Environ(), "KUBERNETES_SERVICE_HOST="+host.Hostname(), "KUBERNETES_SERVICE_PORT="+host.Port())
		sidecar.Stderr = os.Stderr
		if err := sidecar.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = sidecar.Process.Kill(); _ = sidecar.Wait() })
		eventually(t, func() string {
			output, err := exec.Command(path, "proxy", "ready", "--in-cluster", folder, "--port", strconv.Itoa(port)).CombinedOutput()
			if err != nil {
				return string(output)
			}
			return ""
		})
		return sidecar
	}
	sidecar := start()
	client := filepath.Join(folder, "client")
	token, err := os.ReadFile(filepath.Join(client, "token"))
	if err != nil || string(token) != "writer" {
		t.Errorf("%v: the token is %q", err, token)
	}
	authority, err := os.ReadFile(filepath.Join(client, "ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	config := &rest.Config{
		Host: "https://127.0.0.1:" + strconv.Itoa(port), BearerToken: string(token), QPS: -1, WarningHandler: rest.NoWarnings{},
		TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(client, "ca.crt")},
	}
	api := kubernetes.NewForConfigOrDie(config).ResourceV1().ResourceClaims(namespace)
	if _, err := api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	bare := rest.CopyConfig(config)
	bare.BearerToken = ""
	if _, err := kubernetes.NewForConfigOrDie(bare).ResourceV1().ResourceClaims(namespace).Get(t.Context(), "a", metav1.GetOptions{}); !apierrors.IsUnauthorized(err) {
		t.Errorf("without a token: %v", err)
	}
	if err := sidecar.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = sidecar.Wait() // killed
	start()
	again, err := os.ReadFile(filepath.Join(client, "ca.crt"))
	if err != nil || !bytes.Equal(authority, again) {
		t.Errorf("%v: it is another server", err)
	}
	if _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("after it was killed: %v", err)
	}
	// A kubelet rotates the token: clients find the next one, and are who it says.
	if err := os.WriteFile(filepath.Join(pod, "token"), []byte("reader"), 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() string {
		if now, err := os.ReadFile(filepath.Join(client, "token")); err != nil || string(now) != "reader" {
			return "the token is " + string(now)
		}
		return ""
	})
	rotated := rest.CopyConfig(bare)
	rotated.BearerTokenFile = filepath.Join(client, "token")
	api = kubernetes.NewForConfigOrDie(rotated).ResourceV1().ResourceClaims(namespace)
	if _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("with the next token: %v", err)
	}
	if _, err := api.Create(t.Context(), claimV1("b"), metav1.CreateOptions{}); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), `"reader"`) {
		t.Errorf("the API server sees another one: %v", err)
	}
}
