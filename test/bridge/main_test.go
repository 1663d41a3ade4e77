//go:build e2e

package bridge

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// testedVersions convert into each other without loss.
var testedVersions = []string{"v1", "v1beta2", "v1beta1"}

var (
	// reference serves all testedVersions.
	reference = &cluster{name: "reference", runtimeConfig: "resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true"}
	// singleVersionClusters serve one version each, which is the key.
	singleVersionClusters = map[string]*cluster{}
)

// cluster is a control plane with users.
type cluster struct {
	name, runtimeConfig string
	served              string // the only served version, or "" for the reference
	*plane.Plane
	// wrap is bridge.Transport, or nil for the reference.
	wrap func(http.RoundTripper) http.RoundTripper
	// tokens by name of the user.
	tokens map[string]string

	connect sync.Once
	shared  http.RoundTripper // see transport
}

// runtimeConfigFor returns the flag of kube-apiserver for one version of the group, or for none.
func runtimeConfigFor(version string) string {
	var all []string
	for _, v := range testedVersions {
		all = append(all, fmt.Sprintf("resource.k8s.io/%s=%t", v, v == version))
	}
	return strings.Join(all, ",")
}

var clustersFlag = flag.String("clusters", strings.Join(testedVersions, ","), "versions to start a cluster for")

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest requires one
	flag.Parse()
	os.Exit(controlplane.Main(clusterTests{m})) //nolint:forbidigo // TestMain
}

// clusterTests runs the tests between the start and the stop of the clusters.
type clusterTests struct{ *testing.M }

func (m clusterTests) Run() int {
	clusters := []*cluster{reference}
	for _, version := range strings.Split(*clustersFlag, ",") {
		singleVersionClusters[version] = &cluster{
			name: "over " + version, runtimeConfig: runtimeConfigFor(version), served: version,
			wrap: bridge.Transport(bridge.Options{}),
		}
		clusters = append(clusters, singleVersionClusters[version])
	}
	var all sync.WaitGroup
	errs := make([]error, len(clusters))
	for i, c := range clusters {
		all.Go(func() { errs[i] = c.start(context.Background()) })
	}
	all.Wait()
	code := 1
	if err := errors.Join(errs...); err == nil {
		code = m.M.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	for _, c := range clusters {
		if c.Plane == nil {
			continue
		}
		if err := c.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}

func (c *cluster) start(ctx context.Context) (err error) {
	if c.Plane, err = plane.Start(plane.Options{RuntimeConfig: c.runtimeConfig, Users: users}); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if err = c.addUsers(ctx); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// forEachPair calls a function for each version that a cluster serves, and each other version that is requested from
// it.
func forEachPair(do func(served, requested string)) {
	for _, served := range testedVersions {
		for _, requested := range testedVersions {
			if singleVersionClusters[served] != nil && requested != served {
				do(served, requested)
			}
		}
	}
}

// anyPair returns a cluster that serves one version, and a version that it does not serve.
func anyPair() (c *cluster, requested string) {
	forEachPair(func(served, other string) {
		if c == nil {
			c, requested = singleVersionClusters[served], other
		}
	})
	return c, requested
}
