package main

import (
	"net/http"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/test/bench/claims"
)

// fill both clusters with the same claims of 2 KiB, each in the version that it serves: half of them wait for the scheduler, half are allocated.
func (w *ways) fill(n int) error {
	var group errgroup.Group
	group.SetLimit(2 * writers)
	for i := range n {
		name, allocated := claims.In("v1", i, 0).(metav1.Object).GetName(), i%2 == 0
		w.names = append(w.names, name)
		for _, c := range w.all[:2] { // the third is to the second's cluster
			group.Go(func() error {
				object := sizedClaim(c.served, i, allocated)
				if err := c.direct.request(http.MethodPost, path(c.served, ""), asJSON, asJSON, object, nil); err != nil || !allocated {
					return err
				}
				return c.direct.request(http.MethodPut, path(c.served, "/"+name+"/status"), asJSON, asJSON, object, nil)
			})
		}
	}
	return group.Wait()
}

// other claim for each call, all of them allocated.
func (w *ways) other(n int) string { return w.names[2*n%len(w.names)] }

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
