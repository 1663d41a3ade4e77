package main

import (
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/bench/claims"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// cluster is one of the control planes, and those who call it.
type cluster struct {
	name, runtimeConfig string
	plane               *plane.Plane
	// user may do everything and is an ordinary one all the same, with one connection; packed gets answers compressed, as clients of
	// Kubernetes do unless they are told not to; admin is a member of system:masters.
	user, packed, admin *apiServerClient
	// watchers get answers as packed does. One has a share of the watches alone, and each of these has less than that.
	watchers [4]*apiServerClient
	// calls that were measured, so that each can have a claim of its own.
	calls int
}

const (
	user, watcher = "bench", "watcher"
	// createdIn is the namespace of claims that are created while time is taken, so that lists of the other stay what they are.
	createdIn = "created"
)

// manifests of the user's rights and of the namespace.
const manifests = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: bench
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: cluster-admin
subjects:
- apiGroup: rbac.authorization.k8s.io
  kind: Group
  name: bench
---
apiVersion: v1
kind: Namespace
metadata:
  name: created
`

func (c *cluster) start(b *bench) (err error) {
	users := []plane.User{{Name: user, Groups: []string{user}}}
	for i := range c.watchers {
		users = append(users, plane.User{Name: fmt.Sprint(watcher, i), Groups: []string{user}})
	}
	if c.plane, err = plane.Start(plane.Options{RuntimeConfig: c.runtimeConfig, Users: users}); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if err := c.plane.Apply(b, manifests); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	plain := c.plane.As(user)
	plain.DisableCompression = true
	clients := map[*rest.Config]**apiServerClient{plain: &c.user, c.plane.As(user): &c.packed, c.plane.Config: &c.admin}
	for i := range c.watchers {
		clients[c.plane.As(fmt.Sprint(watcher, i))] = &c.watchers[i]
	}
	for config, client := range clients {
		transport, err := rest.HTTPClientFor(config)
		if err != nil {
			return err
		}
		*client = &apiServerClient{Context: b, http: transport, url: c.plane.Config.Host}
	}
	return nil
}

func (c *cluster) stop() error {
	if c.plane == nil {
		return nil
	}
	return c.plane.Stop()
}

// fill both with the same claims of 2 KiB, by v1: half of them wait for the scheduler, half are allocated.
func (s *sideBySide) fill(n int) (names []string, err error) {
	var group errgroup.Group
	group.SetLimit(2 * writers)
	for i := range n {
		allocated := i%2 == 0
		object := sizedClaim("v1", i, allocated)
		name := claimName(i)
		names = append(names, name)
		for _, c := range s.clusters() {
			group.Go(func() error {
				if err := c.admin.request(http.MethodPost, path("v1", ""), asJSON, asJSON, object, nil); err != nil || !allocated {
					return err
				}
				return c.admin.request(http.MethodPut, path("v1", "/"+name+"/status"), asJSON, asJSON, object, nil)
			})
		}
	}
	return names, group.Wait()
}

func claimName(i int) string { return claims.In("v1", i, 0).(metav1.Object).GetName() }

// sizedClaim of a version, as a client sends it: 2 KiB without what the API server writes.
func sizedClaim(version string, i int, allocated bool) []byte {
	return claims.Sized(2<<10, func(growth int) runtime.Object {
		claim := claims.Pending(version, i, growth)
		if allocated {
			claim = claims.In(version, i, growth)
		}
		meta := claim.(metav1.Object)
		meta.SetNamespace("") // that of the path
		meta.SetManagedFields(nil)
		meta.SetResourceVersion("")
		meta.SetUID("")
		return claim
	})
}
