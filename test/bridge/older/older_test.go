//go:build oracle

// Package older proves the bridge on API servers of Kubernetes 1.32 and 1.33, which serve claims with devices and no v1: clients of today, which
// know nothing else, work with them.
package older

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	v1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	applyv1 "k8s.io/client-go/applyconfigurations/resource/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	dra "k8s.io/dynamic-resource-allocation/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/oracle"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest asks for one
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// clusters by what they serve.
var clusters = []struct{ release, served string }{{"1.32", "v1beta1"}, {"1.33", "v1beta1"}, {"1.33", "v1beta2"}}

func TestClientsOfTodayOnOlderClusters(t *testing.T) {
	chosen := must.Get(oracle.Chosen(os.Getenv("CLAIMBRIDGE_RELEASES")))(t)
	for _, c := range clusters {
		if !slices.ContainsFunc(chosen, func(j oracle.Judge) bool { return j.Name == c.release }) {
			continue
		}
		t.Run(c.release+" with "+c.served, func(t *testing.T) {
			server := must.Get(controlplane.Server(t.Context(), c.release))(t)
			cluster := plane.New(t, plane.Options{
				Server: server, RuntimeConfig: "resource.k8s.io/" + c.served + "=true",
			})
			bridged := rest.CopyConfig(cluster.Config)
			bridged.Wrap(bridge.Transport(bridge.Options{}))
			typed := kubernetes.NewForConfigOrDie(bridged)
			seen := dynamic.NewForConfigOrDie(cluster.Config)
			t.Run("informers of every kind come up", func(t *testing.T) { comeUp(t, typed) })
			t.Run("the RESTMapper finds v1", func(t *testing.T) { mapsV1(t, bridged) })
			t.Run("every write of a claim", func(t *testing.T) { writesAClaim(t, typed, seen, c.served) })
			t.Run("classes, templates and slices", func(t *testing.T) { writesTheRest(t, typed) })
			t.Run("the DRA helper", func(t *testing.T) { allocates(t, dra.New(typed)) })
			t.Run("what the release cannot say is refused", func(t *testing.T) { refuses(t, typed, c.release) })
		})
	}
}

// claim of today, whose one request is plain.
func claim(name string) *v1.ResourceClaim {
	return &v1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
		Requests: []v1.DeviceRequest{{Name: "gpu", Exactly: &v1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}}},
	}}}
}

// allocation of the claim.
func allocation() *v1.AllocationResult {
	return &v1.AllocationResult{Devices: v1.DeviceAllocationResult{
		Results: []v1.DeviceRequestAllocationResult{{Request: "gpu", Driver: "gpu.example.com", Pool: "p", Device: "d0"}},
	}}
}

// comeUp is what an autoscaler or a scheduler waits for before it does anything.
func comeUp(t *testing.T, typed kubernetes.Interface) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	factory := informers.NewSharedInformerFactory(typed, 0)
	group := factory.Resource().V1()
	for _, informer := range []cache.SharedIndexInformer{
		group.DeviceClasses().Informer(), group.ResourceClaims().Informer(), group.ResourceClaimTemplates().Informer(), group.ResourceSlices().Informer(),
	} {
		must.Do(t, informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
			if ctx.Err() == nil {
				t.Errorf("an informer: %v", err)
			}
		}))
	}
	factory.Start(ctx.Done())
	for kind, up := range factory.WaitForCacheSync(ctx.Done()) {
		if !up {
			t.Errorf("the informer of %v does not come up", kind)
		}
	}
	cancel()
	factory.Shutdown()
}

func mapsV1(t *testing.T, config *rest.Config) {
	groups := must.Get(restmapper.GetAPIGroupResources(discovery.NewDiscoveryClientForConfigOrDie(config)))(t)
	mapper := restmapper.NewDiscoveryRESTMapper(groups)
	for _, kind := range []string{"ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice"} {
		if _, err := mapper.RESTMapping(schema.GroupKind{Group: v1.GroupName, Kind: kind}, "v1"); err != nil {
			t.Errorf("%s: %v, no match: %t", kind, err, meta.IsNoMatchError(err))
		}
	}
}

// writesAClaim by every verb, and looks at it in the version that the cluster serves.
func writesAClaim(t *testing.T, typed kubernetes.Interface, seen dynamic.Interface, served string) {
	ctx, api := t.Context(), typed.ResourceV1().ResourceClaims("default")
	watch, err := api.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Stop()
	made := must.Get(api.Create(ctx, claim("a"), metav1.CreateOptions{}))(t)
	if first := (<-watch.ResultChan()).Object; first.(*v1.ResourceClaim).UID != made.UID { //nolint:forcetypeassert // the test fails
		t.Errorf("the watch begins with %v", first)
	}
	made.Labels = map[string]string{"updated": "yes"}
	made = must.Get(api.Update(ctx, made, metav1.UpdateOptions{}))(t)
	made.Status.Allocation = allocation()
	must.Get(api.UpdateStatus(ctx, made, metav1.UpdateOptions{}))(t)
	for kind, patch := range map[types.PatchType]string{
		types.MergePatchType:          `{"metadata":{"labels":{"merged":"yes"}}}`,
		types.StrategicMergePatchType: `{"metadata":{"labels":{"strategic":"yes"}}}`,
		types.JSONPatchType:           `[{"op":"add","path":"/metadata/labels/json","value":"yes"}]`,
	} {
		if _, err := api.Patch(ctx, "a", kind, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	applied := applyv1.ResourceClaim("a", "default").WithLabels(map[string]string{"applied": "yes"})
	if _, err = api.Apply(ctx, applied, metav1.ApplyOptions{FieldManager: "older"}); err != nil {
		t.Errorf("apply: %v", err)
	}
	stored, err := seen.Resource(schema.GroupVersionResource{Group: v1.GroupName, Version: served, Resource: "resourceclaims"}).Namespace("default").
		Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(stored.GetLabels()) != 5 {
		t.Errorf("labels in the cluster are %v", stored.GetLabels())
	}
	requests, _, _ := unstructured.NestedSlice(stored.Object, "spec", "devices", "requests")
	request, _ := requests[0].(map[string]any)
	if exactly, is := request["exactly"].(map[string]any); is {
		request = exactly
	}
	results, _, _ := unstructured.NestedSlice(stored.Object, "status", "allocation", "devices", "results")
	if request["deviceClassName"] != "gpu.example.com" || request["allocationMode"] != "ExactCount" || len(results) != 1 {
		t.Errorf("in the cluster there is %v", stored.Object)
	}
	back, err := api.Get(ctx, "a", metav1.GetOptions{})
	if err != nil || back.Spec.Devices.Requests[0].Exactly == nil || back.Status.Allocation == nil || back.ResourceVersion != stored.GetResourceVersion() {
		t.Errorf("get: %v, %v", err, back)
	}
	if err := api.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := api.Get(ctx, "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after the delete: %v", err)
	}
}

func writesTheRest(t *testing.T, typed kubernetes.Interface) {
	ctx, api := t.Context(), typed.ResourceV1()
	class := &v1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu.example.com"}, Spec: v1.DeviceClassSpec{Selectors: []v1.DeviceSelector{
		{CEL: &v1.CELDeviceSelector{Expression: `device.driver == "gpu.example.com"`}},
	}}}
	template := &v1.ResourceClaimTemplate{ObjectMeta: metav1.ObjectMeta{Name: "t"}, Spec: v1.ResourceClaimTemplateSpec{Spec: claim("t").Spec}}
	name, family := "node", "x"
	slice := &v1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Spec: v1.ResourceSliceSpec{
		Driver: "gpu.example.com", NodeName: &name, Pool: v1.ResourcePool{Name: "p", ResourceSliceCount: 1},
		Devices: []v1.Device{{Name: "d0", Attributes: map[v1.QualifiedName]v1.DeviceAttribute{"family": {StringValue: &family}}}},
	}}
	if _, err := api.DeviceClasses().Create(ctx, class, metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	if back, err := api.ResourceClaimTemplates("default").Create(ctx, template, metav1.CreateOptions{}); err != nil || back.Spec.Spec.Devices.Requests[0].Exactly == nil {
		t.Errorf("%v, %v", err, back)
	}
	must.Get(api.ResourceSlices().Create(ctx, slice, metav1.CreateOptions{}))(t)
	list, err := api.ResourceSlices().List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=node"})
	if err != nil || len(list.Items) != 1 || *list.Items[0].Spec.Devices[0].Attributes["family"].StringValue != family {
		t.Errorf("%v, %v", err, list)
	}
}

// allocates as a driver's plugin and a scheduler do, by Kubernetes' own helper.
func allocates(t *testing.T, helper *dra.Client) {
	ctx, api := t.Context(), helper.ResourceClaims("default")
	if _, err := api.Get(ctx, "missing", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a claim that is not there: %v", err)
	}
	made, err := api.Create(ctx, claim("helped"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	made.Status.Allocation = allocation()
	made.Status.ReservedFor = []v1.ResourceClaimConsumerReference{{Resource: string(corev1.ResourcePods), Name: "p", UID: "u"}}
	if made, err = api.UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil || made.Status.Allocation == nil || len(made.Status.ReservedFor) != 1 {
		t.Errorf("%v, %v", err, made)
	}
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		list, err := api.List(ctx, metav1.ListOptions{})
		return err == nil && len(list.Items) == 1, err
	})
	if err != nil {
		t.Error(err)
	}
}

// refuses what an API server of the release would drop in silence, by its field and the release.
func refuses(t *testing.T, typed kubernetes.Interface, release string) {
	later := claim("later")
	field := "spec.devices.requests[0].exactly.capacity"
	later.Spec.Devices.Requests[0].Exactly.Capacity = &v1.CapacityRequirements{}
	if release == "1.32" {
		field = "spec.devices.requests[0].firstAvailable"
		later.Spec.Devices.Requests[0] = v1.DeviceRequest{Name: "gpu", FirstAvailable: []v1.DeviceSubRequest{{Name: "a", DeviceClassName: "gpu.example.com"}}}
	}
	_, err := typed.ResourceV1().ResourceClaims("default").Create(t.Context(), later, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), "Kubernetes "+release) {
		t.Errorf("a later field is answered by %v", err)
	}
}
