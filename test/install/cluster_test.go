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

// start an API server as Kubernetes ships it, which serves v1 of resource.k8s.io itself, or with
// other runtime configuration.
func start(t *testing.T, runtimeConfig string) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{
		Users: []plane.User{plane.Administrator}, RuntimeConfig: runtimeConfig,
		Definitions: []string{
			filepath.Join(module(t, "../..", "github.com/cert-manager/cert-manager"), "deploy", "crds"),
			filepath.Join(module(t, "../definitions", "github.com/prometheus-operator/prometheus-operator"),
				"example", "prometheus-operator-crd", "monitoring.coreos.com_servicemonitors.yaml"),
		},
	})
	client := must.Get(dynamic.NewForConfig(p.Config))(t)
	asked := must.Get(discovery.NewDiscoveryClientForConfig(p.Config))(t)
	return &cluster{
		Plane:   p,
		Shell:   shell.New(t, p.KubeconfigOf(t, "admin", "default"), filepath.Dir(built.Claimbridge(t))),
		dynamic: client,
		mapper:  restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(asked)),
	}
}

// module gives the folder of a module, as the go.mod of a folder pins it.
func module(t *testing.T, dir, path string) string {
	t.Helper()
	return must.Get(programs.Source(t.Context(), dir, path))(t)
}

// says is what kubectl comes to say, when the API server has learned of it.
func (c *cluster) says(t *testing.T, want, stdin string, args ...string) {
	t.Helper()
	await.NoError(t, want, func() error {
		output, err := c.TryKubectl(context.WithoutCancel(t.Context()), []byte(stdin), args...)
		if strings.Contains(output, want) {
			return nil
		}
		return errors.Join(errors.New("kubectl says "+output), err)
	})
}

// page runs commands of a page as a reader would.
func (c *cluster) page(t *testing.T, variables, commands string) string {
	t.Helper()
	return c.Run(t, "set -eu\n"+variables+"\n"+commands)
}

// account of the server in a namespace, with a token as its pods have it.
func (c *cluster) account(t *testing.T, namespace string) dynamic.Interface {
	t.Helper()
	config := c.configOf(t, namespace, "claimbridge")
	return must.Get(dynamic.NewForConfig(config))(t)
}

// established waits for definitions. kubectl gives up on one whose status says nothing yet, so it is asked again.
func (c *cluster) established(t *testing.T, names ...string) {
	t.Helper()
	await.NoError(t, "definitions", func() error {
		output, err := c.TryKubectl(t.Context(), nil, append([]string{
			"wait", "crd", "--for=condition=Established", "--timeout=1m",
		}, names...)...)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, output)
		}
		return nil
	})
}
