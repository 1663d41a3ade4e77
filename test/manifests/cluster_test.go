//go:build e2e

package manifests

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/programs"
)

// cluster is an API server without resource.k8s.io of its own, with the kinds of cert-manager and of the Prometheus operator.
// Nothing runs in it: no pods, no controllers.
type cluster struct {
	rest    *rest.Config
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
	kubectl string
	// claimbridge is the program, built for this test.
	claimbridge string
	environ     []string
}

// start an API server, with resource.k8s.io in its own code or without.
func start(t *testing.T, inTree bool) *cluster {
	t.Helper()
	assets, err := controlplane.Assets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	environment := &envtest.Environment{
		BinaryAssetsDirectory: assets,
		ErrorIfCRDPathMissing: true,
		CRDDirectoryPaths: []string{
			filepath.Join(module(t, "../..", "github.com/cert-manager/cert-manager"), "deploy", "crds"),
			filepath.Join(module(t, "../definitions", "github.com/prometheus-operator/prometheus-operator"),
				"example", "prometheus-operator-crd", "monitoring.coreos.com_servicemonitors.yaml"),
		},
	}
	if !inTree {
		environment.ControlPlane.GetAPIServer().Configure().Append("runtime-config", "resource.k8s.io/v1=false")
	}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	user, err := environment.AddUser(envtest.User{Name: "admin", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := user.KubeConfig()
	if err != nil {
		t.Fatal(err)
	}
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config"), kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return &cluster{
		rest: config, dynamic: client, mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(asked)),
		kubectl: filepath.Join(assets, "kubectl"), claimbridge: program,
		environ: append(os.Environ(), "KUBECONFIG="+filepath.Join(home, "config"), "HOME="+home,
			"PATH="+assets+string(os.PathListSeparator)+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH")),
	}
}

// module gives the folder of a module, as the go.mod of a folder pins it.
func module(t *testing.T, dir, path string) string {
	t.Helper()
	source, err := programs.Source(t.Context(), dir, path)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// run kubectl, which must succeed.
func (c *cluster) run(t *testing.T, stdin []byte, args ...string) string {
	t.Helper()
	output, err := c.try(t.Context(), stdin, args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return output
}

func (c *cluster) try(ctx context.Context, stdin []byte, args ...string) (string, error) {
	command := exec.CommandContext(ctx, c.kubectl, args...)
	command.Stdin, command.Env = bytes.NewReader(stdin), c.environ
	output, err := command.CombinedOutput()
	return string(output), err
}

func manifests(t *testing.T, o config.Options) []byte {
	t.Helper()
	text, err := config.Manifests(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
