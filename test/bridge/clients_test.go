//go:build e2e

package bridge

import (
	"testing"

	v1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// clusterServing returns the cluster that serves only a version. The test is skipped without this cluster.
func clusterServing(t *testing.T, version string) *cluster {
	t.Helper()
	c := singleVersionClusters[version]
	if c == nil {
		t.Skip("no cluster of " + version)
	}
	return c
}

func claimV1(name string) *v1.ResourceClaim {
	return &v1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{
		Name: name,
	}, Spec: v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
		Requests: []v1.DeviceRequest{
			{Name: "gpu", Exactly: &v1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}},
		},
	}}}
}

// TestControllerRuntime checks that the cached client of controller-runtime, which uses discovery and a watch, reads a
// claim that it created.
func TestControllerRuntime(t *testing.T) {
	forEachPair(func(served, requested string) {
		if requested != "v1" {
			return
		}
		t.Run(requested+" over "+served, func(t *testing.T) {
			c := singleVersionClusters[served]
			namespace, _ := c.newNamespace(t)
			scheme := runtime.NewScheme()
			must.Do(t, v1.AddToScheme(scheme))
			cached, err := cache.New(c.configWithBridge("root"), cache.Options{
				Scheme:            scheme,
				DefaultNamespaces: map[string]cache.Config{namespace: {}},
			})
			if err != nil {
				t.Fatal(err)
			}
			go func() { _ = cached.Start(t.Context()) }()
			api := must.Get(client.New(c.configWithBridge("root"), client.Options{
				Scheme: scheme,
				Cache:  &client.CacheOptions{Reader: cached},
			}))(t)
			claim := claimV1("a")
			claim.Namespace = namespace
			must.Do(t, api.Create(t.Context(), claim))
			eventually(t, func() string {
				if err := api.Get(t.Context(), client.ObjectKeyFromObject(claim), &v1.ResourceClaim{}); err != nil {
					return err.Error()
				}
				return ""
			})
		})
	})
}
