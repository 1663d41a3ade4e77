//go:build e2e

package chart

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/webhook"
)

// cluster is a control plane as Kubernetes ships it, which serves v1 of resource.k8s.io itself.
type cluster struct {
	*plane.Plane
	kubeconfig, folder string
}

func start(t *testing.T) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{Users: []plane.User{plane.Administrator}})
	c := &cluster{Plane: p, folder: t.TempDir()}
	c.kubeconfig = filepath.Join(c.folder, "kubeconfig")
	c.write(t, c.kubeconfig, "admin")
	return c
}

// write a kubeconfig for whom a token stands for.
func (c *cluster) write(t *testing.T, file, token string) {
	t.Helper()
	kubeconfig, err := c.Kubeconfig(token, "default")
	if err == nil {
		err = os.WriteFile(file, kubeconfig, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (c *cluster) try(ctx context.Context, stdin string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, filepath.Join(os.Getenv(controlplane.EnvAssets), "kubectl"), args...)
	command.Stdin, command.Env = strings.NewReader(stdin), append(os.Environ(), "KUBECONFIG="+c.kubeconfig, "HOME="+c.folder)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	err := command.Run()
	return output.String(), err
}

// kubectl, which must succeed.
func (c *cluster) kubectl(t *testing.T, args ...string) string {
	t.Helper()
	output, err := c.try(t.Context(), "", args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return output
}

// patience with a machine that does other things as well.
const patience = 2 * time.Minute

// await what an API server learns in its own time.
func (c *cluster) await(t *testing.T, what, stdin, want string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		output, _ := c.try(ctx, stdin, args...)
		if strings.Contains(output, want) {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: want %q, kubectl says\n%s", what, want, output)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// reachable is a copy of a chart for a control plane without nodes: what its Service leads to is a port of this machine.
func reachable(t *testing.T, chart string, port int) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), filepath.Base(chart))
	if err := os.CopyFS(folder, os.DirFS(chart)); err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, name := range []string{"crds", "webhooks"} {
		file := filepath.Join(folder, "templates", name+".yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed += bytes.Count(text, []byte("port: 443\n"))
		if err := os.WriteFile(file, bytes.ReplaceAll(text, []byte("port: 443\n"), fmt.Appendf(nil, "port: %d\n", port)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if changed != 4 {
		t.Fatalf("two definitions and two webhook configurations name a port, not %d objects", changed)
	}
	return folder
}

// serve as the account of the release, on a port, until it is stopped.
func (c *cluster) serve(t *testing.T, port int) (stop func()) {
	t.Helper()
	token, err := c.Token(t.Context(), namespace, "claimbridge", nil)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	c.write(t, kubeconfig, token)
	server, err := webhook.New(webhook.Options{
		Groups: []string{group}, BindAddress: "127.0.0.1", SecurePort: port, ShutdownTimeout: time.Second, MetricsBindAddress: "0",
		CertificateSecret: namespace + "/claimbridge-ca", DNSNames: []string{"claimbridge." + namespace + ".svc"}, Kubeconfig: kubeconfig,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	stopped := make(chan error, 1)
	go func() {
		stopped <- server.Run(ctx)
		close(stopped)
	}()
	stop = func() {
		cancel()
		if err, running := <-stopped; running && err != nil {
			t.Log(err) // the API server may hold a connection that it has not used yet
		}
	}
	t.Cleanup(stop)
	select {
	case <-server.Started():
	case err := <-stopped:
		t.Fatal(err)
	}
	return stop
}

// serveAggregated as the account of the other chart. Nobody has to reach it.
func (c *cluster) serveAggregated(t *testing.T) {
	t.Helper()
	token, err := c.Token(t.Context(), namespace, "claimbridge-apiserver", nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	program, kubeconfig := filepath.Join(folder, "claimbridge-apiserver"), filepath.Join(folder, "kubeconfig")
	c.write(t, kubeconfig, token)
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/claimbridge-apiserver").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	server := exec.CommandContext(ctx, program, "--kubeconfig="+kubeconfig, "--authentication-kubeconfig="+kubeconfig, "--authorization-kubeconfig="+kubeconfig,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", plane.Port(t)), "--certificate-secret="+namespace+"/claimbridge-apiserver-ca",
		"--tls-dns-names=claimbridge-apiserver."+namespace+".svc")
	var log bytes.Buffer
	server.Stdout, server.Stderr, server.Env = &log, &log, append(os.Environ(), "POD_NAMESPACE="+namespace)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = server.Wait() // killed
		if t.Failed() {
			t.Logf("claimbridge-apiserver wrote:\n%s", &log)
		}
	})
}
