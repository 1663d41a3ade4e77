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

// whole are the versions that say all that others of them do.
var whole = []string{"v1", "v1beta2", "v1beta1"}

var (
	// key serves all of them in-tree.
	key = &cluster{name: "the key", runtimeConfig: "resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true"}
	// alone are clusters that serve one.
	alone = map[string]*cluster{}
)

// cluster is a control plane with users.
type cluster struct {
	name, runtimeConfig string
	*plane.Plane
	// wrap is what a client puts around its transport.
	wrap func(http.RoundTripper) http.RoundTripper
	// tokens by name of the user.
	tokens map[string]string
}

// servesAlone is the flag for one version of the group.
func servesAlone(version string) string {
	var all []string
	for _, v := range whole {
		all = append(all, fmt.Sprintf("resource.k8s.io/%s=%t", v, v == version))
	}
	return strings.Join(all, ",")
}

// served names the versions whose clusters are started, so that one can be tried by itself.
var served = flag.String("served", strings.Join(whole, ","), "versions that clusters serve alone")

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest asks for one
	flag.Parse()
	os.Exit(controlplane.Main(withClusters{m})) //nolint:forbidigo // TestMain
}

// withClusters are tests between the start and the stop of the clusters.
type withClusters struct{ *testing.M }

func (m withClusters) Run() int {
	clusters := []*cluster{key}
	for _, version := range strings.Split(*served, ",") {
		alone[version] = &cluster{
			name: "over " + version, runtimeConfig: servesAlone(version),
			wrap: bridge.Transport(bridge.Options{}),
		}
		clusters = append(clusters, alone[version])
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

// ways are pairs of what a cluster serves and what it is asked for.
func ways(do func(served, asked string)) {
	for _, s := range whole {
		for _, asked := range whole {
			if alone[s] != nil && asked != s {
				do(s, asked)
			}
		}
	}
}

// some cluster that serves one version alone, and a version that it does not serve.
func some() (c *cluster, asked string) {
	ways(func(s, a string) {
		if c == nil {
			c, asked = alone[s], a
		}
	})
	return c, asked
}
