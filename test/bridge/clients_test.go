//go:build e2e

package bridge

import (
	"strings"
	"testing"

	v1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	dra "k8s.io/dynamic-resource-allocation/client"
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
	return &v1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
		Requests: []v1.DeviceRequest{{Name: "gpu", Exactly: &v1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}}},
	}}}
}

func allocatedV1(claim *v1.ResourceClaim) *v1.ResourceClaim {
	claim.Status.Allocation = &v1.AllocationResult{Devices: v1.DeviceAllocationResult{
		Results: []v1.DeviceRequestAllocationResult{{Request: "gpu", Driver: "gpu.example.com", Pool: "p", Device: "d0"}},
	}}
	return claim
}

// Typed clients of v1 on a cluster of v1beta1, in JSON and in protobuf, which they ask for: they write, and their informers see it.
func TestTypedClientsOfV1(t *testing.T) {
	c := over(t, "v1beta1")
	for _, content := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
		t.Run(content, func(t *testing.T) {
			namespace, _ := c.space(t)
			config := c.bridged("writer")
			config.ContentType = content
			typed := kubernetes.NewForConfigOrDie(config)
			factory := informers.NewSharedInformerFactoryWithOptions(typed, 0, informers.WithNamespace(namespace))
			lister := factory.Resource().V1().ResourceClaims()
			lister.Informer()
			factory.Start(t.Context().Done())
			factory.WaitForCacheSync(t.Context().Done())
			api := typed.ResourceV1().ResourceClaims(namespace)
			must.Get(api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}))(t)
			label := []byte(`{"metadata":{"labels":{"l":"1"}}}`)
			claim := must.Get(api.Patch(t.Context(), "a", types.MergePatchType, label, metav1.PatchOptions{}))(t)
			claim = must.Get(api.UpdateStatus(t.Context(), allocatedV1(claim), metav1.UpdateOptions{}))(t)
			stored, err := kubernetes.NewForConfigOrDie(c.As("writer")).ResourceV1beta1().ResourceClaims(namespace).Get(t.Context(), "a", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if stored.Spec.Devices.Requests[0].DeviceClassName != "gpu.example.com" || stored.Labels["l"] != "1" || stored.Status.Allocation == nil {
				t.Errorf("the cluster has %v", stored)
			}
			eventually(t, func() string {
				seen, err := lister.Lister().ResourceClaims(namespace).Get("a")
				if err != nil || seen.ResourceVersion != claim.ResourceVersion || seen.Spec.Devices.Requests[0].Exactly == nil {
					return "the informer does not see the claim"
				}
				return ""
			})
		})
	}
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
			cached, err := cache.New(c.bridged("root"), cache.Options{Scheme: scheme, DefaultNamespaces: map[string]cache.Config{namespace: {}}})
			if err != nil {
				t.Fatal(err)
			}
			go func() { _ = cached.Start(t.Context()) }()
			api := must.Get(client.New(c.bridged("root"), client.Options{Scheme: scheme, Cache: &client.CacheOptions{Reader: cached}}))(t)
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

// Kubernetes' own DRA helper stays with v1, where it would go to another version at the first claim that is not there, and for ever.
func TestDRAHelper(t *testing.T) {
	c := over(t, "v1beta1")
	namespace, _ := c.space(t)
	helper := dra.New(kubernetes.NewForConfigOrDie(c.bridged("root")))
	api := helper.ResourceClaims(namespace)
	if _, err := api.Get(t.Context(), "missing", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a claim that is not there: %v", err)
	}
	claim, err := api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if claim, err = api.UpdateStatus(t.Context(), allocatedV1(claim), metav1.UpdateOptions{}); err != nil || claim.Status.Allocation == nil {
		t.Errorf("%v: %v", err, claim)
	}
}

// What our types know and the cluster's release does not is refused by its name. derivedAttributes came with 1.37.
func TestWhatTheReleaseCannotSay(t *testing.T) {
	ways(func(served, asked string) {
		t.Run(asked+" over "+served, func(t *testing.T) {
			c := alone[served]
			s := c.session(t, asked)
			v := shape(asked)
			body := strings.Replace(v.claim("a", ""), `"deviceClassName":"gpu.example.com"`,
				`"deviceClassName":"gpu.example.com","derivedAttributes":[{"name":"gpu.example.com/x","expression":"1"}]`, 1)
			a := must.Get(s.do(t.Context(), request{method: "POST", path: "claims", body: body}))(t)
			field := "spec.devices.requests[0].exactly.derivedAttributes"
			if asked == "v1beta1" {
				field = "spec.devices.requests[0].derivedAttributes"
			}
			if a.status != 422 || !strings.Contains(string(a.body), field+": Forbidden: the cluster is Kubernetes 1.36") {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	})
}
