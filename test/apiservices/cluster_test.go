//go:build e2e

package apiservices

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/dynamic"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	code := controlplane.Main(m)
	_ = os.RemoveAll(folder) // "" is none
	os.Exit(code)            //nolint:forbidigo // TestMain
}

// folder of the programs, when a test needed them.
var folder string

// built once for all tests: claimbridge and claimbridge-apiserver.
var built = sync.OnceValues(func() (_ string, err error) {
	if folder, err = os.MkdirTemp("", "claimbridge-apiservices-"); err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-o", folder+string(os.PathSeparator), "../../cmd/claimbridge", "../../cmd/claimbridge-apiserver").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return folder, nil
})

// cluster is a control plane, and the programs that a user has.
type cluster struct {
	*plane.Plane
	dynamic dynamic.Interface
	environ []string
	port    int // of the server
}

func start(t *testing.T, runtimeConfig string) *cluster {
	t.Helper()
	return startWith(t, plane.Options{RuntimeConfig: runtimeConfig})
}

func startWith(t *testing.T, o plane.Options) *cluster {
	t.Helper()
	o.Users = []plane.User{plane.Administrator}
	p := plane.New(t, o)
	home := t.TempDir()
	kubeconfig, err := p.Kubeconfig("admin", "default")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config"), kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	programs, err := built()
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(p.Config)
	if err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{programs, os.Getenv(controlplane.EnvAssets), os.Getenv("PATH")}, string(os.PathListSeparator))
	return &cluster{Plane: p, dynamic: client, environ: append(os.Environ(), "KUBECONFIG="+filepath.Join(home, "config"), "HOME="+home, "PATH="+path)}
}

// shell runs a line as a user would, and gives what it printed on both outputs.
func (c *cluster) shell(t *testing.T, line string) (output string, code int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-c", line)
	var printed bytes.Buffer
	command.Env, command.Stdout, command.Stderr = c.environ, &printed, &printed
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return printed.String(), command.ProcessState.ExitCode()
}

// run a line that must succeed.
func (c *cluster) run(t *testing.T, line string) string {
	t.Helper()
	output, code := c.shell(t, line)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", line, code, output)
	}
	return output
}
