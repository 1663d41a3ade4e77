//go:build e2e

package troubleshooting

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// cluster is a control plane, and a server of ours beside it as a process of this machine.
type cluster struct {
	*plane.Plane
	test   testing.TB
	folder string
	port   int
	// account of the server in claimbridge-system, program and flags.
	account, program string
	args             []string
	process          *process.Process
	// way of the server to the API server, where it is not the straight one.
	way string
}

func start(t *testing.T, account, program string, args ...string) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{Users: []plane.User{plane.Administrator}})
	c := &cluster{Plane: p, test: t, folder: t.TempDir(), port: plane.Port(t), account: account, program: program, args: args}
	if err := c.write("admin", "admin", c.Config.Host); err != nil {
		t.Fatal(err)
	}
	return c
}

// write a kubeconfig for whoever a token stands for.
func (c *cluster) write(file, token, way string) error {
	content, err := c.Kubeconfig(token, "default")
	if err != nil {
		return err
	}
	return os.WriteFile(c.file(file), bytes.ReplaceAll(content, []byte(c.Config.Host), []byte(way)), 0o600)
}

func (c *cluster) file(name string) string { return filepath.Join(c.folder, name) }

func (c *cluster) environ() map[string]string {
	return map[string]string{"KUBECONFIG": c.file("admin"), "LOG": c.file("log"), "PORT": strconv.Itoa(c.port), "BREAK": c.file("break")}
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
	token, err := c.Token(context.Background(), config.DefaultNamespace, c.account, nil)
	if err == nil {
		err = c.write("server", token, cmp.Or(c.way, c.Config.Host))
	}
	if err != nil {
		return err
	}
	log, err := os.Create(c.file("log"))
	if err != nil {
		return err
	}
	c.test.Cleanup(func() { _ = log.Close() })
	args := append(append(append([]string{}, c.args...), "--kubeconfig="+c.file("server"), "--secure-port="+strconv.Itoa(c.port)), flags...)
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
