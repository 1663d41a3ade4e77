//go:build e2e

package bridge

import (
	"bytes"
	"fmt"
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

// serviceAccountFolder is the mount path of the token and the CA in a pod. In tests, each sidecar has a private mount
// there.
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"

// sidecar is a process of claimbridge-proxy.
type sidecar struct {
	*process.Process
	port int
	// podFolder has the files that a kubelet writes, and clientFolder those that the sidecar writes for its clients.
	podFolder, clientFolder string
}

// startSidecar starts a sidecar for a pod of a user in a namespace, and waits until it serves.
func (c *cluster) startSidecar(t *testing.T, user, namespace string) *sidecar {
	t.Helper()
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skipf("this machine does not permit mounts: %v", err)
	}
	s := &sidecar{port: plane.Port(t), podFolder: t.TempDir(), clientFolder: filepath.Join(t.TempDir(), "client")}
	for name, data := range map[string][]byte{
		"token": []byte(user), "namespace": []byte(namespace), "ca.crt": c.Config.CAData,
	} {
		must.Do(t, os.WriteFile(filepath.Join(s.podFolder, name), data, 0o600))
	}
	s.start(t, c.Config.Host)
	return s
}

// start starts the sidecar in a mount namespace, and waits until it is ready.
func (s *sidecar) start(t *testing.T, server string) {
	t.Helper()
	path := must.Get(programPath("claimbridge-proxy"))(t)
	host := must.Get(url.Parse(server))(t)
	folder := filepath.Dir(s.clientFolder)
	command := exec.Command("unshare", "-m", "sh", "-c",
		`mkdir -p `+serviceAccountFolder+` && mount --bind "$1" `+serviceAccountFolder+
			` && exec "$2" --in-cluster "$3" --port "$4"`,
		"sh", s.podFolder, path, folder, strconv.Itoa(s.port))
	command.Env = append(os.Environ(), "KUBERNETES_SERVICE_HOST="+host.Hostname(),
		"KUBERNETES_SERVICE_PORT="+host.Port())
	s.Process = process.Start(t, command)
	t.Cleanup(func() { _ = s.Kill() }) // without waiting for its requests
	eventually(t, func() string {
		output, err := exec.Command(path, "--ready", "--in-cluster", folder, "--port",
			strconv.Itoa(s.port)).CombinedOutput()
		if err != nil {
			return string(output)
		}
		return ""
	})
}

// config returns the configuration of a client in the pod.
func (s *sidecar) config() *rest.Config {
	return &rest.Config{
		Host:            "https://127.0.0.1:" + strconv.Itoa(s.port),
		BearerTokenFile: filepath.Join(s.clientFolder, "token"),
		QPS:             -1,
		WarningHandler:  rest.NoWarnings{},
		TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(s.clientFolder, "ca.crt")},
	}
}

// TestSidecar checks that a sidecar serves TLS to clients with an in-cluster configuration, forwards only their tokens,
// and has the same CA after a restart.
func TestSidecar(t *testing.T) {
	c := clusterServing(t, "v1beta1")
	namespace, _ := c.newNamespace(t)
	sidecar := c.startSidecar(t, "writer", namespace)
	token, err := os.ReadFile(filepath.Join(sidecar.clientFolder, "token"))
	if err != nil || string(token) != "writer" {
		t.Errorf("token for clients: got %q and error %v, want %q", token, err, "writer")
	}
	ca := must.Get(os.ReadFile(filepath.Join(sidecar.clientFolder, "ca.crt")))(t)
	config := sidecar.config()
	api := kubernetes.NewForConfigOrDie(config).ResourceV1().ResourceClaims(namespace)
	must.Get(api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}))(t)
	anonymous := rest.CopyConfig(config)
	anonymous.BearerTokenFile = ""
	if _, err := kubernetes.NewForConfigOrDie(anonymous).ResourceV1().ResourceClaims(namespace).Get(t.Context(), "a",
		metav1.GetOptions{}); !apierrors.IsUnauthorized(err) {
		t.Errorf("without a token: got error %v, want Unauthorized", err)
	}
	must.Do(t, sidecar.Kill())
	sidecar.start(t, c.Config.Host)
	caAfterRestart, err := os.ReadFile(filepath.Join(sidecar.clientFolder, "ca.crt"))
	if err != nil || !bytes.Equal(ca, caAfterRestart) {
		t.Errorf("CA after a restart: got %s and error %v, want %s", caAfterRestart, err, ca)
	}
	if _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("get after a restart: %v", err)
	}
	// After a kubelet rotates the token, clients use the new token.
	must.Do(t, os.WriteFile(filepath.Join(sidecar.podFolder, "token"), []byte("reader"), 0o600))
	eventually(t, func() string {
		token, err := os.ReadFile(filepath.Join(sidecar.clientFolder, "token"))
		if err != nil {
			return err.Error()
		}
		if string(token) != "reader" {
			return fmt.Sprintf("token for clients: got %q, want %q", token, "reader")
		}
		return ""
	})
	api = kubernetes.NewForConfigOrDie(sidecar.config()).ResourceV1().ResourceClaims(namespace)
	if _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("get with the new token: %v", err)
	}
	if _, err := api.Create(t.Context(), claimV1("b"), metav1.CreateOptions{}); !apierrors.IsForbidden(err) ||
		!strings.Contains(err.Error(), `"reader"`) {
		t.Errorf("create with the new token: got error %v, want Forbidden for the user reader", err)
	}
}
