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
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// testedVersions are the versions of the API that convert into each other without loss.
var testedVersions = []string{"v1", "v1beta2", "v1beta1"}

var (
	// reference serves all testedVersions, without a bridge.
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
	// tokens are the bearer tokens by user name.
	tokens map[string]string
	// transport sends all requests to the cluster, which share HTTP/2 connections.
	transport http.RoundTripper
}

// runtimeConfigFor returns the flag --runtime-config of kube-apiserver to serve only a version of the group. For any
// other text, the API server does not serve the group.
func runtimeConfigFor(version string) string {
	var settings []string
	for _, v := range testedVersions {
		settings = append(settings, fmt.Sprintf("resource.k8s.io/%s=%t", v, v == version))
	}
	return strings.Join(settings, ",")
}

var clustersFlag = flag.String("clusters", strings.Join(testedVersions, ","),
	"comma-separated versions; a cluster is started for each")

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest requires one
	flag.Parse()
	os.Exit(controlplane.Main(clusterTests{m})) //nolint:forbidigo // TestMain
}

// clusterTests starts the clusters, runs the tests, and stops the clusters.
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
	var starts sync.WaitGroup
	errs := make([]error, len(clusters))
	for i, c := range clusters {
		starts.Go(func() { errs[i] = c.start(context.Background()) })
	}
	starts.Wait()
	code := 1
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.M.Run()
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

// start starts the control plane, and adds the users.
func (c *cluster) start(ctx context.Context) (err error) {
	if c.Plane, err = plane.Start(plane.Options{RuntimeConfig: c.runtimeConfig, Users: users}); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if c.transport, err = rest.TransportFor(rest.AnonymousClientConfig(c.Config)); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if c.wrap != nil {
		c.transport = c.wrap(c.transport)
	}
	if err = c.addUsers(ctx); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// versionPair is a version that a cluster serves, and another version that clients request from it.
type versionPair struct{ served, requested string }

func (p versionPair) String() string { return p.requested + " over " + p.served }

// versionPairs returns all pairs for the clusters that were started.
func versionPairs() (pairs []versionPair) {
	for _, served := range testedVersions {
		for _, requested := range testedVersions {
			if singleVersionClusters[served] != nil && requested != served {
				pairs = append(pairs, versionPair{served: served, requested: requested})
			}
		}
	}
	return pairs
}

// anyPair returns a cluster that serves one version, and a version that it does not serve.
func anyPair() (c *cluster, requested string) {
	pair := versionPairs()[0]
	return singleVersionClusters[pair.served], pair.requested
}
