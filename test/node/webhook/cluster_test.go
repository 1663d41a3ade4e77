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

// patience with what pods do: images are there, but the machine may have other work.
const patience = 3 * time.Minute

// cluster has what a reader of the documentation has: kubectl, claimbridge, a kubeconfig, and the image with the names
// of the pages instead of a registry.
type cluster struct {
	*node.Cluster
	core    kubernetes.Interface
	dynamic dynamic.Interface
	environ []string
}

// folder with the program, for all tests.
var folder string

func TestMain(m *testing.M) {
	code := 1
	var err error
	if folder, err = os.MkdirTemp("", "claimbridge-node-webhook-"); err == nil {
		code = m.Run()
		err = os.RemoveAll(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code) //nolint:forbidigo // TestMain
}

// made of this checkout, when the first cluster is there: the program, as the image has it, and the
// image by the name of the manifests.
var made = sync.OnceValues(func() (archive string, err error) {
	build := exec.CommandContext(context.Background(), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w",
		"-o", folder, "../../../cmd/claimbridge")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", build, err, output)
	}
	archive, _, err = image.Claimbridge(context.Background(), folder)
	return archive, err
})

func start(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{Cluster: node.New(t, node.Options{})}
	built := must.Get(made())(t)
	pushed, err := image.Build(t.Context(), t.TempDir(), strings.TrimPrefix(imageOfPage(t), "image="),
		filepath.Join(folder, "claimbridge"), "--cmd=serve")
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, c.Load(t.Context(), built, pushed))
	config := c.Config()
	config.QPS = -1
	c.core = must.Get(kubernetes.NewForConfig(config))(t)
	c.dynamic = must.Get(dynamic.NewForConfig(config))(t)
	home := t.TempDir()
	path := strings.Join([]string{folder, filepath.Dir(c.Kubectl()), os.Getenv("PATH")}, string(os.PathListSeparator))
	c.environ = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+home, "PATH="+path)
	return c
}

// try commands in a shell, in a folder.
func (c *cluster) try(ctx context.Context, folder, commands string) (string, error) {
	shell := exec.CommandContext(ctx, "sh", "-eu", "-c", commands)
	shell.Dir, shell.Env = folder, c.environ
	output, err := shell.CombinedOutput()
	return string(output), err
}

// shell runs commands, which must succeed.
func (c *cluster) shell(t *testing.T, commands string) string {
	t.Helper()
	return c.shellIn(t, t.TempDir(), commands)
}

func (c *cluster) shellIn(t *testing.T, folder, commands string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*patience)
	defer stop()
	output, err := c.try(ctx, folder, commands)
	if err != nil {
		t.Fatalf("%s\n%v\n%s", commands, err, output)
	}
	return output
}

// inside the node.
func (c *cluster) inside(t *testing.T, args ...string) string {
	t.Helper()
	output, err := c.In(t.Context(), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return string(output)
}
