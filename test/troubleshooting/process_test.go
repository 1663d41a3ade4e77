//go:build e2e

package troubleshooting

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// cluster is a control plane, and a server of ours beside it as a process of this machine.
type cluster struct {
	*plane.Plane
	test   testing.TB
	folder string
	port   int
	// program of the server.
	program string
	process *process.Process
}

func start(t *testing.T) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{Users: []plane.User{plane.Administrator}})
	c := &cluster{Plane: p, test: t, folder: t.TempDir(), port: plane.Port(t), program: built.Claimbridge(t)}
	must.Do(t, c.write("admin", "admin"))
	return c
}

// write a kubeconfig for whoever a token stands for.
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

// startServer with the rights of its account.
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
	args := append([]string{"serve", "--group=claims.example.com", "--bind-address=127.0.0.1", "--metrics-bind-address=0",
		"--kubeconfig=" + c.file("server"), "--secure-port=" + strconv.Itoa(c.port)}, flags...)
	command := exec.Command(c.program, args...)
	command.Dir, command.Env, command.Stdout = c.folder, append(os.Environ(), "POD_NAMESPACE="+config.DefaultNamespace), log
	c.process = process.Start(c.test, command)
	return nil
}

// stopServer as a kubelet does. One that has ended by itself is no error: that is what some sessions are about.
func (c *cluster) stopServer() error {
	if c.process == nil {
		return nil
	}
	return c.process.Stop()
}
