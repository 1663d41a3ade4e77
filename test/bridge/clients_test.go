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

// over is a cluster that serves a version alone, unless none was started.
func over(t *testing.T, version string) *cluster {
	t.Helper()
	c := alone[version]
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

// controller-runtime's cached client finds the version by discovery, and its cache by a watch.
func TestControllerRuntime(t *testing.T) {
	ways(func(served, asked string) {
		if asked != "v1" {
			return
		}
		t.Run(asked+" over "+served, func(t *testing.T) {
			c := alone[served]
			namespace, _ := c.space(t)
			scheme := runtime.NewScheme()
			must.Do(t, v1.AddToScheme(scheme))
			cached, err := cache.New(c.bridged("root"), cache.Options{
				Scheme:            scheme,
				DefaultNamespaces: map[string]cache.Config{namespace: {}},
			})
			if err != nil {
				t.Fatal(err)
			}
			go func() { _ = cached.Start(t.Context()) }()
			api := must.Get(client.New(c.bridged("root"), client.Options{
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
