//go:build oracle

// Package older tests the bridge on API servers of Kubernetes 1.32 and 1.33, which do not serve v1, with clients that
// use only v1.
package older

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	v1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	dra "k8s.io/dynamic-resource-allocation/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/oracle"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest requires one
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// clusters are the releases of the tested clusters, and the API versions that they serve.
var clusters = []struct{ release, served string }{{"1.32", "v1beta1"}, {"1.33", "v1beta1"}, {"1.33", "v1beta2"}}

// TestV1ClientsOnOlderClusters checks informers, all verbs, the DRA helper, and the rejection of newer fields.
func TestV1ClientsOnOlderClusters(t *testing.T) {
	selectedReleases := must.Get(oracle.Chosen(os.Getenv("CLAIMBRIDGE_RELEASES")))(t)
	for _, c := range clusters {
		if !slices.ContainsFunc(selectedReleases, func(v oracle.Validator) bool { return v.Name == c.release }) {
			continue
		}
		t.Run(c.release+" with "+c.served, func(t *testing.T) {
			server := must.Get(controlplane.BuildAPIServer(t.Context(), c.release))(t)
			cluster := plane.New(t, plane.Options{
				Server:        server,
				RuntimeConfig: "resource.k8s.io/" + c.served + "=true",
				Users:         []plane.User{plane.Administrator},
			})
			configWithBridge := rest.CopyConfig(cluster.Config)
			configWithBridge.Wrap(bridge.Transport(bridge.Options{}))
			typed := kubernetes.NewForConfigOrDie(configWithBridge)
			t.Run("informers of every kind", func(t *testing.T) { checkInformers(t, typed) })
			t.Run("every verb of every kind", func(t *testing.T) { checkConformance(t, cluster) })
			t.Run("the DRA helper", func(t *testing.T) { checkDRAHelper(t, dra.New(typed)) })
			t.Run("fields of newer releases", func(t *testing.T) { checkNewerFieldsAreRejected(t, typed, c.release) })
		})
	}
}

// claim returns a claim for one device.
func claim(name string) *v1.ResourceClaim {
	request := v1.DeviceRequest{Name: "gpu", Exactly: &v1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}}
	return &v1.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1.ResourceClaimSpec{Devices: v1.DeviceClaim{Requests: []v1.DeviceRequest{request}}},
	}
}

// allocation returns an allocation of the claim.
func allocation() *v1.AllocationResult {
	return &v1.AllocationResult{Devices: v1.DeviceAllocationResult{
		Results: []v1.DeviceRequestAllocationResult{
			{Request: "gpu", Driver: "gpu.example.com", Pool: "p", Device: "d0"},
		},
	}}
}

// checkInformers checks that informers of all kinds synchronize, for which a scheduler or an autoscaler waits.
func checkInformers(t *testing.T, typed kubernetes.Interface) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	factory := informers.NewSharedInformerFactory(typed, 0)
	group := factory.Resource().V1()
	for _, informer := range []cache.SharedIndexInformer{
		group.DeviceClasses().Informer(),
		group.ResourceClaims().Informer(),
		group.ResourceClaimTemplates().Informer(),
		group.ResourceSlices().Informer(),
	} {
		must.Do(t, informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
			if ctx.Err() == nil {
				t.Errorf("watch of an informer: %v", err)
			}
		}))
	}
	factory.Start(ctx.Done())
	for kind, isSynced := range factory.WaitForCacheSync(ctx.Done()) {
		if !isSynced {
			t.Errorf("the informer of %v is not synchronized", kind)
		}
	}
	cancel()
	factory.Shutdown()
}

// checkConformance runs the check of each resource of v1 in the conformance tests of Kubernetes: every verb, with
// watches.
func checkConformance(t *testing.T, cluster *plane.Plane) {
	proxy := must.Get(bridge.Proxy(cluster.Config, bridge.ProxyOptions{}))(t)
	proxyServer := httptest.NewServer(proxy)
	defer proxyServer.Close()
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	text := strings.ReplaceAll(string(cluster.KubeconfigOf(t, plane.Administrator.Name, "default")),
		cluster.Config.Host, proxyServer.URL)
	must.Do(t, os.WriteFile(kubeconfig, []byte(text), 0o600))
	check := exec.CommandContext(t.Context(), programs.Tool(t, programs.Conformance), kubeconfig, "v1/resourceclaims",
		"v1/resourceclaimtemplates", "v1/deviceclasses", "v1/resourceslices")
	if output, err := check.CombinedOutput(); err != nil || !strings.Contains(string(output), "4/4 specs") {
		t.Errorf("got error %v, want 4/4 specs in the output:\n%s", err, output)
	}
}

// checkDRAHelper allocates a claim with Kubernetes' DRA helper, like a scheduler.
func checkDRAHelper(t *testing.T, helper *dra.Client) {
	ctx := t.Context()
	api := helper.ResourceClaims("default")
	if _, err := api.Get(ctx, "missing", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("get of a missing claim: got error %v, want NotFound", err)
	}
	created, err := api.Create(ctx, claim("allocated"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	created.Status.Allocation = allocation()
	created.Status.ReservedFor = []v1.ResourceClaimConsumerReference{
		{Resource: string(corev1.ResourcePods), Name: "p", UID: "u"},
	}
	created, err = api.UpdateStatus(ctx, created, metav1.UpdateOptions{})
	if err != nil || created.Status.Allocation == nil || len(created.Status.ReservedFor) != 1 {
		t.Errorf("update of the status: got error %v and %v, want an allocated and reserved claim", err, created)
	}
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true,
		func(ctx context.Context) (bool, error) {
			list, err := api.List(ctx, metav1.ListOptions{})
			return err == nil && len(list.Items) == 1, err
		})
	if err != nil {
		t.Error(err)
	}
}

// checkNewerFieldsAreRejected checks that a field that the release does not have is rejected with its name, instead of
// being dropped.
func checkNewerFieldsAreRejected(t *testing.T, typed kubernetes.Interface, release string) {
	newer := claim("newer")
	field := "capacity"
	newer.Spec.Devices.Requests[0].Exactly.Capacity = &v1.CapacityRequirements{}
	if release == "1.32" {
		field = "firstAvailable"
		newer.Spec.Devices.Requests[0] = v1.DeviceRequest{
			Name:           "gpu",
			FirstAvailable: []v1.DeviceSubRequest{{Name: "a", DeviceClassName: "gpu.example.com"}},
		}
	}
	_, err := typed.ResourceV1().ResourceClaims("default").Create(t.Context(), newer, metav1.CreateOptions{})
	if !apierrors.IsBadRequest(err) || !strings.Contains(err.Error(), field) {
		t.Errorf("claim with a newer field: got error %v, want BadRequest with %q", err, field)
	}
}
