//go:build e2e

package aggregated

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/aggregated/beside"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

var (
	// ours has the aggregated API server beside it, key serves the same versions in-tree.
	ours = &cluster{name: "ours"}
	key  = &cluster{name: "the key", runtimeConfig: "resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true"}
)

// envActAs names another way of asking than that of the manifests, for a KUBEBUILDER_ASSETS with a kube-apiserver that has no constrained
// impersonation: docs/aggregated.md has the command.
const envActAs = "CLAIMBRIDGE_ACT_AS"

// The versions that both have, and all that ours has.
var (
	inTree = []string{"v1beta1", "v1beta2"}
	served = []string{"v1alpha1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2"}
)

// cluster is a control plane with users.
type cluster struct {
	name, runtimeConfig string
	*plane.Plane
	minor int // release of Kubernetes 1
	// tokens by name of the user.
	tokens map[string]string
	server *beside.Server
}

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())               // envtest asks for one
	os.Exit(controlplane.Main(withClusters{m})) //nolint:forbidigo // TestMain
}

// withClusters are tests between the start and the stop of the clusters.
type withClusters struct{ *testing.M }

func (m withClusters) Run() int {
	folder, err := os.MkdirTemp("", "claimbridge-aggregated-")
	if err == nil {
		err = startAll(folder)
	}
	code := 1
	if err == nil {
		code = m.M.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	if err := errors.Join(ours.stop(), key.stop(), os.RemoveAll(folder)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}

// startAll at once: the program is built while the control planes start.
func startAll(folder string) error {
	ctx := context.Background()
	var program string
	var all sync.WaitGroup
	errs := make([]error, 3)
	all.Go(func() { errs[0] = ours.start(ctx) })
	all.Go(func() { errs[1] = key.start(ctx) })
	all.Go(func() { program, errs[2] = beside.Build(ctx, folder) })
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var err error
	ours.server, err = beside.InstallWith(ctx, ours.Plane, program, served, beside.Options{Audit: true, ActAs: config.ActAs(os.Getenv(envActAs))})
	return err
}

func (c *cluster) start(ctx context.Context) (err error) {
	if c.Plane, err = plane.Start(plane.Options{RuntimeConfig: c.runtimeConfig, Users: users}); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if err = c.addUsers(ctx); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if c.minor, err = c.release(); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// release of Kubernetes 1 that a cluster says it is of.
func (c *cluster) release() (minor int, err error) {
	client, err := discovery.NewDiscoveryClientForConfig(c.Config)
	if err != nil {
		return 0, err
	}
	version, err := client.ServerVersion()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSuffix(version.Minor, "+"))
}

func (c *cluster) stop() (err error) {
	if c.server != nil {
		err = c.server.Stop()
	}
	if c.Plane != nil {
		err = errors.Join(err, c.Plane.Stop())
	}
	return err
}
