//go:build node

package webhook

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/claimbridge/claimbridge/test/node"
	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	namespace = "claimbridge-system"
	group     = "claims.example.com"
)

// timeout for pods to start. It is long, because the machine may be busy. No image is pulled.
const timeout = 3 * time.Minute

// cluster has all that commands of the documentation need: kubectl, claimbridge, a kubeconfig, and the image by the
// name in the documentation, loaded into the node.
type cluster struct {
	*node.Cluster
	core    kubernetes.Interface
	dynamic dynamic.Interface
	environ []string
}

// programDir has the program, for all tests.
var programDir string

func TestMain(m *testing.M) {
	code := 1
	var err error
	if programDir, err = os.MkdirTemp("", "claimbridge-node-webhook-"); err == nil {
		code = m.Run()
		err = os.RemoveAll(programDir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code) //nolint:forbidigo // TestMain
}

// buildOnce builds the program and the image of this checkout. It returns the archive of the image.
var buildOnce = sync.OnceValues(func() (archive string, err error) {
	build := exec.CommandContext(context.Background(), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w",
		"-o", programDir, "../../../cmd/claimbridge")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", build, err, output)
	}
	archive, _, err = image.Claimbridge(context.Background(), programDir)
	return archive, err
})

func start(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{Cluster: node.New(t, node.Options{})}
	built := must.Get(buildOnce())(t)
	pushed, err := image.Build(t.Context(), t.TempDir(), strings.TrimPrefix(quickStartImage(t), "image="),
		filepath.Join(programDir, "claimbridge"), "--cmd=serve")
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, c.Load(t.Context(), built, pushed))
	config := c.Config()
	config.QPS = -1
	c.core = must.Get(kubernetes.NewForConfig(config))(t)
	c.dynamic = must.Get(dynamic.NewForConfig(config))(t)
	home := t.TempDir()
	path := strings.Join([]string{programDir, filepath.Dir(c.Kubectl()), os.Getenv("PATH")},
		string(os.PathListSeparator))
	c.environ = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+home, "PATH="+path)
	return c
}

// runShell runs commands in a directory and returns their output.
func (c *cluster) runShell(ctx context.Context, dir, commands string) (string, error) {
	shell := exec.CommandContext(ctx, "sh", "-eu", "-c", commands)
	shell.Dir, shell.Env = dir, c.environ
	output, err := shell.CombinedOutput()
	return string(output), err
}

// shell runs commands in an empty directory, and fails the test if one fails.
func (c *cluster) shell(t *testing.T, commands string) string {
	t.Helper()
	return c.shellIn(t, t.TempDir(), commands)
}

func (c *cluster) shellIn(t *testing.T, dir, commands string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*timeout)
	defer stop()
	output, err := c.runShell(ctx, dir, commands)
	if err != nil {
		t.Fatalf("%s\n%v\n%s", commands, err, output)
	}
	return output
}

// runInNode runs a command in the namespaces of the node, and fails the test if it fails.
func (c *cluster) runInNode(t *testing.T, args ...string) string {
	t.Helper()
	output, err := c.Command(t.Context(), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return string(output)
}
