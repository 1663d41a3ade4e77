//go:build e2e

package troubleshooting

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// cluster is a control plane with a claimbridge server, which is a process.
type cluster struct {
	*plane.Plane
	test   testing.TB
	folder string
	port   int
	// program of the server.
	program string
	process *process.Process
	// ca signs the certificates in files.
	ca *certs.Authority
}

func start(t *testing.T) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{Users: []plane.User{plane.Administrator}})
	c := &cluster{
		Plane: p, test: t, folder: t.TempDir(), port: plane.Port(t), program: built.Claimbridge(t),
		ca: certs.New(t, "files", certs.Day),
	}
	must.Do(t, c.write("admin", "admin"))
	return c
}

// write writes a kubeconfig for the user of a token.
func (c *cluster) write(file, token string) error {
	return os.WriteFile(c.file(file), c.KubeconfigOf(c.test, token, "default"), 0o600)
}

func (c *cluster) file(name string) string { return filepath.Join(c.folder, name) }

func (c *cluster) environ() map[string]string {
	return map[string]string{"KUBECONFIG": c.file("admin"), "LOG": c.file("log"), "PORT": strconv.Itoa(c.port)}
}

// server is a command of sessions: server start FLAG..., server stop.
func (c *cluster) server(ts *testscript.TestScript, neg bool, args []string) {
	switch {
	case neg || len(args) == 0:
		ts.Fatalf("usage: server start FLAG... | server stop")
	case args[0] == "stop":
		ts.Check(c.stopServer())
	default:
		ts.Check(c.stopServer())
		ts.Check(c.startServer(args[1:]...))
	}
}

// certificate is a command of sessions: certificate FOLDER HOST [expired] writes a server certificate and its CA.
func (c *cluster) certificate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: certificate FOLDER HOST [expired]")
	}
	leaf := certs.Leaf{Name: args[1], Hosts: args[1:2]}
	if len(args) > 2 {
		leaf.Validity = certs.Validity{NotBefore: -time.Minute, NotAfter: -time.Second}
	}
	pair, err := c.ca.Sign(leaf)
	ts.Check(err)
	for name, text := range map[string][]byte{
		"tls.crt": pair.Certificate, "tls.key": pair.Key, "ca.crt": c.ca.Certificate,
	} {
		ts.Check(os.WriteFile(ts.MkAbs(filepath.Join(args[0], name)), text, 0o600))
	}
}

// startServer starts the server with the permissions of its service account.
func (c *cluster) startServer(flags ...string) error {
	token, err := c.Token(context.Background(), config.DefaultNamespace, "claimbridge", nil)
	if err == nil {
		err = c.write("server", token)
	}
	if err != nil {
		return err
	}
	log, err := os.Create(c.file("log"))
	if err != nil {
		return err
	}
	c.test.Cleanup(func() { _ = log.Close() })
	args := append([]string{
		"serve", "--group=claims.example.com", "--bind-address=127.0.0.1",
		"--metrics-bind-address=0", "--health-probe-bind-address=0",
		"--kubeconfig=" + c.file("server"), "--secure-port=" + strconv.Itoa(c.port),
	}, flags...)
	command := exec.Command(c.program, args...)
	command.Dir = c.folder
	command.Env = append(os.Environ(), "POD_NAMESPACE="+config.DefaultNamespace)
	command.Stdout = log
	c.process = process.Start(c.test, command)
	return nil
}

// stopServer stops the server like a kubelet. It returns no error if the server has already exited, as in some
// sessions.
func (c *cluster) stopServer() error {
	if c.process == nil {
		return nil
	}
	return c.process.Stop()
}

// TestWebhookServer runs the sessions about claimbridge in a cluster, in the order of an installation's life, on a
// control plane with default flags. Sessions that do not depend on them run in parallel.
func TestWebhookServer(t *testing.T) {
	t.Parallel()
	c := start(t)
	environ := c.environ()
	environ["DROPPING"] = droppingPort(t)
	t.Run("independent", func(t *testing.T) {
		t.Parallel()
		scripts, err := filepath.Glob("testdata/independent/*.txtar")
		if err != nil || len(scripts) == 0 {
			t.Fatalf("no scripts: %v", err)
		}
		run(t, scripts, environ, nil)
	})
	t.Run("in order", func(t *testing.T) {
		t.Parallel()
		runInOrder(t, "testdata/webhook/*.txtar", environ, commands{"server": c.server, "certificate": c.certificate})
	})
}

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest requires one
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// droppingPort returns a port whose connections time out, as behind a firewall: the backlog of its socket is full.
func droppingPort(t *testing.T) (port string) {
	t.Helper()
	socket := must.Get(syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0))(t)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	must.Do(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	must.Do(t, syscall.Listen(socket, 0))
	address := must.Get(syscall.Getsockname(socket))(t)
	port = fmt.Sprint(address.(*syscall.SockaddrInet4).Port)
	first := must.Get(net.Dial("tcp", "127.0.0.1:"+port))(t) // a backlog of 0 has room for one
	t.Cleanup(func() { _ = first.Close() })
	return port
}
