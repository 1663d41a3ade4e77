//go:build e2e

package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// cluster is an API server with the kinds of cert-manager and of the Prometheus operator, and an administrator. It has
// no pods and no controllers.
type cluster struct {
	*plane.Plane
	*shell.Shell
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

// newCluster starts an API server. Without a runtimeConfig it serves v1 of resource.k8s.io itself.
func newCluster(t *testing.T, runtimeConfig string) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{
		Users: []plane.User{plane.Administrator}, RuntimeConfig: runtimeConfig,
		Definitions: []string{
			filepath.Join(moduleFolder(t, "../..", "github.com/cert-manager/cert-manager"), "deploy", "crds"),
			filepath.Join(moduleFolder(t, "../definitions", "github.com/prometheus-operator/prometheus-operator"),
				"example", "prometheus-operator-crd", "monitoring.coreos.com_servicemonitors.yaml"),
		},
	})
	client := must.Get(dynamic.NewForConfig(p.Config))(t)
	discoveryClient := must.Get(discovery.NewDiscoveryClientForConfig(p.Config))(t)
	return &cluster{
		Plane:   p,
		Shell:   shell.New(t, p.KubeconfigOf(t, "admin", "default"), filepath.Dir(built.Claimbridge(t))),
		dynamic: client,
		mapper:  restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoveryClient)),
	}
}

// moduleFolder returns the folder of the sources of a module, in the version that the go.mod in dir requires.
func moduleFolder(t *testing.T, dir, path string) string {
	t.Helper()
	return must.Get(programs.Source(t.Context(), dir, path))(t)
}

// awaitOutput repeats a kubectl command until its output contains a text, because changes take effect after a while.
func (c *cluster) awaitOutput(t *testing.T, want, stdin string, args ...string) {
	t.Helper()
	await.NoError(t, want, func() error {
		output, err := c.TryKubectl(context.WithoutCancel(t.Context()), []byte(stdin), args...)
		if strings.Contains(output, want) {
			return nil
		}
		return errors.Join(fmt.Errorf("got the output %q, want it to contain %q", output, want), err)
	})
}

// runCommands runs commands of the documentation. The variables are shell assignments.
func (c *cluster) runCommands(t *testing.T, variables, commands string) string {
	t.Helper()
	return c.Run(t, "set -eu\n"+variables+"\n"+commands)
}

// serverAccount returns a client with the permissions of the server's account.
func (c *cluster) serverAccount(t *testing.T, namespace string) dynamic.Interface {
	t.Helper()
	config := c.configOf(t, namespace, "claimbridge")
	return must.Get(dynamic.NewForConfig(config))(t)
}

// awaitEstablished waits until CRDs are established. It repeats kubectl wait, which fails if a CRD has no status yet.
func (c *cluster) awaitEstablished(t *testing.T, names ...string) {
	t.Helper()
	await.NoError(t, "the CRDs are established", func() error {
		output, err := c.TryKubectl(t.Context(), nil, append([]string{
			"wait", "crd", "--for=condition=Established", "--timeout=1m",
		}, names...)...)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, output)
		}
		return nil
	})
}
