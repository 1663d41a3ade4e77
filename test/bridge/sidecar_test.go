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
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// account is where pods have what they are known by. A sidecar in a test has a mount of its own there.
const account = "/var/run/secrets/kubernetes.io/serviceaccount"

// sidecar of a pod.
type sidecar struct {
	*process.Process
	port int
	// pod has what a kubelet keeps for the pod, and client what the sidecar keeps for its clients.
	pod, client string
}

// sidecar in a pod of a user of a namespace, which runs when its start has ended without an error.
func (c *cluster) sidecar(t *testing.T, user, namespace string) *sidecar {
	t.Helper()
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skip("this process may not mount: ", err)
	}
	s := &sidecar{port: plane.Port(t), pod: t.TempDir(), client: filepath.Join(t.TempDir(), "client")}
	for name, data := range map[string][]byte{
		"token": []byte(user), "namespace": []byte(namespace), "ca.crt": c.Config.CAData,
	} {
		must.Do(t, os.WriteFile(filepath.Join(s.pod, name), data, 0o600))
	}
	s.start(t, c.Config.Host)
	return s
}

func (s *sidecar) start(t *testing.T, server string) {
	t.Helper()
	path := must.Get(program("claimbridge-proxy"))(t)
	host := must.Get(url.Parse(server))(t)
	folder := filepath.Dir(s.client)
	command := exec.Command("unshare", "-m", "sh", "-c",
		`mkdir -p `+account+` && mount --bind "$1" `+account+` && exec "$2" --in-cluster "$3" --port "$4"`,
		"sh", s.pod, path, folder, strconv.Itoa(s.port))
	command.Env = append(os.Environ(), "KUBERNETES_SERVICE_HOST="+host.Hostname(),
		"KUBERNETES_SERVICE_PORT="+host.Port())
	s.Process = process.Start(t, command)
	t.Cleanup(func() { _ = s.Kill() }) // whatever it still answers
	eventually(t, func() string {
		output, err := exec.Command(path, "--ready", "--in-cluster", folder, "--port",
			strconv.Itoa(s.port)).CombinedOutput()
		if err != nil {
			return string(output)
		}
		return ""
	})
}

// config of a client in the pod.
func (s *sidecar) config() *rest.Config {
	return &rest.Config{
		Host:            "https://127.0.0.1:" + strconv.Itoa(s.port),
		BearerTokenFile: filepath.Join(s.client, "token"),
		QPS:             -1,
		WarningHandler:  rest.NoWarnings{},
		TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(s.client, "ca.crt")},
	}
}

// A sidecar serves by TLS what in-cluster configurations read, sends the token of its clients and
// none of its own, and is the same server when it was killed and started again.
func TestSidecar(t *testing.T) {
	c := over(t, "v1beta1")
	namespace, _ := c.space(t)
	sidecar := c.sidecar(t, "writer", namespace)
	token, err := os.ReadFile(filepath.Join(sidecar.client, "token"))
	if err != nil || string(token) != "writer" {
		t.Errorf("%v: the token is %q", err, token)
	}
	authority := must.Get(os.ReadFile(filepath.Join(sidecar.client, "ca.crt")))(t)
	config := sidecar.config()
	api := kubernetes.NewForConfigOrDie(config).ResourceV1().ResourceClaims(namespace)
	must.Get(api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}))(t)
	bare := rest.CopyConfig(config)
	bare.BearerTokenFile = ""
	if _, err := kubernetes.NewForConfigOrDie(bare).ResourceV1().ResourceClaims(namespace).Get(t.Context(), "a",
		metav1.GetOptions{}); !apierrors.IsUnauthorized(err) {
		t.Errorf("without a token: %v", err)
	}
	must.Do(t, sidecar.Kill())
	sidecar.start(t, c.Config.Host)
	again, err := os.ReadFile(filepath.Join(sidecar.client, "ca.crt"))
	if err != nil || !bytes.Equal(authority, again) {
		t.Errorf("%v: it is another server", err)
	}
	if _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("after it was killed: %v", err)
	}
	// A kubelet rotates the token: clients find the next one, and are who it says.
	must.Do(t, os.WriteFile(filepath.Join(sidecar.pod, "token"), []byte("reader"), 0o600))
	eventually(t, func() string {
		if now, err := os.ReadFile(filepath.Join(sidecar.client, "token")); err != nil || string(now) != "reader" {
			return "the token is " + string(now)
		}
		return ""
	})
	api = kubernetes.NewForConfigOrDie(sidecar.config()).ResourceV1().ResourceClaims(namespace)
	if _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("with the next token: %v", err)
	}
	if _, err := api.Create(t.Context(), claimV1("b"), metav1.CreateOptions{}); !apierrors.IsForbidden(err) ||
		!strings.Contains(err.Error(), `"reader"`) {
		t.Errorf("the API server sees another one: %v", err)
	}
}
