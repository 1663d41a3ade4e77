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

// clusterServing returns the cluster that serves only a version. It skips the test if -clusters excludes this cluster.
func clusterServing(t *testing.T, version string) *cluster {
	t.Helper()
	c := singleVersionClusters[version]
	if c == nil {
		t.Skipf("the flag -clusters excludes %s", version)
	}
	return c
}

// claimV1 returns a claim for one device.
func claimV1(name string) *v1.ResourceClaim {
	request := v1.DeviceRequest{Name: "gpu", Exactly: &v1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}}
	return &v1.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1.ResourceClaimSpec{Devices: v1.DeviceClaim{Requests: []v1.DeviceRequest{request}}},
	}
}

// TestControllerRuntime checks that the cached client of controller-runtime, which uses discovery and a watch, reads a
// claim that it created.
func TestControllerRuntime(t *testing.T) {
	for _, pair := range versionPairs() {
		if pair.requested != "v1" {
			continue
		}
		t.Run(pair.String(), func(t *testing.T) { checkCachedClient(t, singleVersionClusters[pair.served]) })
	}
}

func checkCachedClient(t *testing.T, c *cluster) {
	t.Helper()
	namespace, _ := c.newNamespace(t)
	scheme := runtime.NewScheme()
	must.Do(t, v1.AddToScheme(scheme))
	reader := must.Get(cache.New(c.configWithBridge("root"), cache.Options{
		Scheme:            scheme,
		DefaultNamespaces: map[string]cache.Config{namespace: {}},
	}))(t)
	go func() { _ = reader.Start(t.Context()) }()
	api := must.Get(client.New(c.configWithBridge("root"), client.Options{
		Scheme: scheme,
		Cache:  &client.CacheOptions{Reader: reader},
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
}
