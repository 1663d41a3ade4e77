//go:build oracle

// Package older proves the bridge on API servers of Kubernetes 1.32 and 1.33, which serve claims
// with devices and no v1: clients of today, which know nothing else, work with them.
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
	log.SetLogger(logr.Discard()) // envtest asks for one
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// clusters by what they serve.
var clusters = []struct{ release, served string }{{"1.32", "v1beta1"}, {"1.33", "v1beta1"}, {"1.33", "v1beta2"}}

func TestClientsOfTodayOnOlderClusters(t *testing.T) {
	chosen := must.Get(oracle.Chosen(os.Getenv("CLAIMBRIDGE_RELEASES")))(t)
	for _, c := range clusters {
		if !slices.ContainsFunc(chosen, func(j oracle.Validator) bool { return j.Name == c.release }) {
			continue
		}
		t.Run(c.release+" with "+c.served, func(t *testing.T) {
			server := must.Get(controlplane.Server(t.Context(), c.release))(t)
			cluster := plane.New(t, plane.Options{
				Server:        server,
				RuntimeConfig: "resource.k8s.io/" + c.served + "=true",
				Users:         []plane.User{plane.Administrator},
			})
			bridged := rest.CopyConfig(cluster.Config)
			bridged.Wrap(bridge.Transport(bridge.Options{}))
			typed := kubernetes.NewForConfigOrDie(bridged)
			t.Run("informers of every kind come up", func(t *testing.T) { comeUp(t, typed) })
			t.Run("every verb of every kind", func(t *testing.T) { conforms(t, cluster) })
			t.Run("the DRA helper", func(t *testing.T) { allocates(t, dra.New(typed)) })
			t.Run("fields that the release does not have are rejected", func(t *testing.T) { rejects(t, typed, c.release) })
		})
	}
}

// claim of today, whose one request is plain.
func claim(name string) *v1.ResourceClaim {
	return &v1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{
		Name: name,
	}, Spec: v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
		Requests: []v1.DeviceRequest{
			{Name: "gpu", Exactly: &v1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}},
		},
	}}}
}

// allocation of the claim.
func allocation() *v1.AllocationResult {
	return &v1.AllocationResult{Devices: v1.DeviceAllocationResult{
		Results: []v1.DeviceRequestAllocationResult{
			{Request: "gpu", Driver: "gpu.example.com", Pool: "p", Device: "d0"},
		},
	}}
}

// comeUp is what an autoscaler or a scheduler waits for before it does anything.
func comeUp(t *testing.T, typed kubernetes.Interface) {
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

// conforms to Kubernetes' own check of each resource of v1, as it was written for the release that
// has them: every verb, seen by watches.
func conforms(t *testing.T, cluster *plane.Plane) {
	proxy := must.Get(bridge.Proxy(cluster.Config, bridge.ProxyOptions{}))(t)
	bridged := httptest.NewServer(proxy)
	defer bridged.Close()
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	text := strings.ReplaceAll(string(cluster.KubeconfigOf(t, plane.Administrator.Name, "default")),
		cluster.Config.Host, bridged.URL)
	must.Do(t, os.WriteFile(kubeconfig, []byte(text), 0o600))
	check := exec.CommandContext(t.Context(), programs.Other(t, programs.Conformance), kubeconfig, "v1/resourceclaims",
		"v1/resourceclaimtemplates", "v1/deviceclasses", "v1/resourceslices")
	if output, err := check.CombinedOutput(); err != nil || !strings.Contains(string(output), "4/4 specs") {
		t.Errorf("%v, or it did not run all:\n%s", err, output)
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
	made.Status.ReservedFor = []v1.ResourceClaimConsumerReference{
		{Resource: string(corev1.ResourcePods), Name: "p", UID: "u"},
	}
	made, err = api.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	if err != nil || made.Status.Allocation == nil || len(made.Status.ReservedFor) != 1 {
		t.Errorf("%v, %v", err, made)
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

// rejects fields that an API server of the release would drop otherwise. Its error names the field.
func rejects(t *testing.T, typed kubernetes.Interface, release string) {
	later := claim("later")
	field := "capacity"
	later.Spec.Devices.Requests[0].Exactly.Capacity = &v1.CapacityRequirements{}
	if release == "1.32" {
		field = "firstAvailable"
		later.Spec.Devices.Requests[0] = v1.DeviceRequest{
			Name:           "gpu",
			FirstAvailable: []v1.DeviceSubRequest{{Name: "a", DeviceClassName: "gpu.example.com"}},
		}
	}
	_, err := typed.ResourceV1().ResourceClaims("default").Create(t.Context(), later, metav1.CreateOptions{})
	if !apierrors.IsBadRequest(err) || !strings.Contains(err.Error(), field) {
		t.Errorf("a field of a later release: %v", err)
	}
}
