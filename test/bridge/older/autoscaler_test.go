//go:build oracle

package older

import (
	_ "embed"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	v1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// fleet is a node with one device in a group that the autoscaler can enlarge.
//
//go:embed testdata/fleet.yaml
var fleet string

// TestAutoscaler runs the unchanged cluster-autoscaler of Kubernetes 1.36 on a cluster of 1.32 whose nodes are only
// objects. It uses only v1, so it fails without the bridge. Through the bridge, it reads slices, classes and claims,
// and adds a node with a device for a pending pod.
func TestAutoscaler(t *testing.T) {
	autoscaler := buildAutoscaler(t)
	server := must.Get(controlplane.BuildAPIServer(t.Context(), "1.32"))(t)
	cluster := plane.New(t, plane.Options{
		Server: server, RuntimeConfig: "resource.k8s.io/v1beta1=true", Users: []plane.User{plane.Administrator},
	})
	must.Do(t, cluster.Apply(t.Context(), fleet))
	proxy := must.Get(bridge.Proxy(cluster.Config, bridge.ProxyOptions{}))(t)
	proxyServer := httptest.NewServer(proxy)
	t.Cleanup(proxyServer.Close)
	client := kubernetes.NewForConfigOrDie(&rest.Config{Host: proxyServer.URL, QPS: -1, WarningHandler: rest.NoWarnings{}})
	setNodeReady(t, client, "gpu-0")
	createPod(t, client, "running", "gpu-0")
	createPod(t, client, "pending", "")

	kubeconfig := cluster.KubeconfigOf(t, plane.Administrator.Name, "default")
	withoutBridge := startAutoscaler(t, autoscaler, kubeconfig)
	await.NoError(t, "the autoscaler reports that v1 is missing", func() error {
		if !strings.Contains(withoutBridge.Log.String(), "the server could not find the requested resource") {
			return errors.New("its log has no such error")
		}
		return nil
	})
	if err := withoutBridge.Kill(); err != nil {
		t.Error(err)
	}
	if names := nodeNames(t, client); len(names) != 1 {
		t.Errorf("without the bridge: got the nodes %v, want only gpu-0", names)
	}

	startAutoscaler(t, autoscaler, []byte(strings.ReplaceAll(string(kubeconfig), cluster.Config.Host, proxyServer.URL)))
	await.NoError(t, "the autoscaler adds a node", func() error {
		if names := nodeNames(t, client); len(names) != 2 {
			return fmt.Errorf("got the nodes %v, want two", names)
		}
		return nil
	})
}

// buildAutoscaler builds the autoscaler once, with the provider kwok, which needs no cloud. It skips the test if the
// module proxy does not have the sources.
func buildAutoscaler(t *testing.T) string {
	t.Helper()
	const pkg = "k8s.io/autoscaler/cluster-autoscaler"
	program := programs.Program{
		Name:    "cluster-autoscaler",
		Dir:     "autoscaler",
		Sources: []string{"go.mod", "go.sum"},
		Env:     []string{"CGO_ENABLED=0"},
		Args:    []string{"-tags=kwok", "-trimpath", "-ldflags", "-s -w", pkg},
	}
	set := programs.Set{
		Name:     "autoscaler",
		Notice:   "building cluster-autoscaler once, which takes some minutes and downloads modules",
		Programs: []programs.Program{program},
	}
	if built, err := set.Built(t.Context()); err != nil || !built {
		download := exec.CommandContext(t.Context(), "go", "mod", "download", pkg)
		download.Dir = program.Dir
		if output, err := download.CombinedOutput(); err != nil {
			t.Skipf("the sources of the cluster-autoscaler are not available: %s", output)
		}
	}
	folder := must.Get(set.Folder(t.Context()))(t)
	return filepath.Join(folder, program.Name)
}

// startAutoscaler starts the autoscaler, which runs until the test ends or stops it.
func startAutoscaler(t *testing.T, autoscaler string, kubeconfig []byte) *process.Process {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	must.Do(t, os.WriteFile(file, kubeconfig, 0o600))
	command := exec.Command(autoscaler, "--kubeconfig="+file, "--cloud-provider=kwok", "--leader-elect=false",
		"--scan-interval=1s", "--v=2", "--address=127.0.0.1:0")
	command.Env = append(os.Environ(), "KUBECONFIG="+file, "KWOK_PROVIDER_MODE=local", "POD_NAMESPACE=default")
	return process.Start(t, command)
}

// nodeNames returns the names of all nodes.
func nodeNames(t *testing.T, client kubernetes.Interface) (names []string) {
	t.Helper()
	list := must.Get(client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}))(t)
	for _, node := range list.Items {
		names = append(names, node.Name)
	}
	return names
}

// setNodeReady sets the status of a node like a kubelet.
func setNodeReady(t *testing.T, client kubernetes.Interface, name string) {
	t.Helper()
	node := must.Get(client.CoreV1().Nodes().Get(t.Context(), name, metav1.GetOptions{}))(t)
	node.Status.Capacity = corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("4"),
		corev1.ResourceMemory: resource.MustParse("8Gi"),
		corev1.ResourcePods:   resource.MustParse("100"),
	}
	node.Status.Allocatable = node.Status.Capacity
	node.Status.Conditions = []corev1.NodeCondition{{
		Type:               corev1.NodeReady,
		Status:             corev1.ConditionTrue,
		LastTransitionTime: metav1.NewTime(time.Now().Add(-time.Hour)),
		LastHeartbeatTime:  metav1.Now(),
	}}
	node = must.Get(client.CoreV1().Nodes().UpdateStatus(t.Context(), node, metav1.UpdateOptions{}))(t)
	node.Spec.Taints = nil // removes the taint not-ready, as a controller does
	must.Get(client.CoreV1().Nodes().Update(t.Context(), node, metav1.UpdateOptions{}))(t)
}

// createPod creates a pod with a claim for one device. With a node, the pod runs there and the device is allocated.
// Without a node, the pod is pending.
func createPod(t *testing.T, client kubernetes.Interface, name, node string) {
	t.Helper()
	ctx := t.Context()
	claims := client.ResourceV1().ResourceClaims("default")
	pods := client.CoreV1().Pods("default")
	created := must.Get(claims.Create(ctx, claim(name), metav1.CreateOptions{}))(t)
	pod, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
		NodeName: node,
		Containers: []corev1.Container{
			{
				Name:      "c",
				Image:     "i",
				Resources: corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}}},
			},
		},
		ResourceClaims: []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &name}},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if node == "" {
		pod.Status.Conditions = []corev1.PodCondition{
			{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable},
		}
	} else {
		pod.Status.Phase = corev1.PodRunning
		created.Status.Allocation = allocation()
		created.Status.Allocation.Devices.Results[0].Pool = node
		created.Status.ReservedFor = []v1.ResourceClaimConsumerReference{{Resource: "pods", Name: name, UID: pod.UID}}
		must.Get(claims.UpdateStatus(ctx, created, metav1.UpdateOptions{}))(t)
	}
	must.Get(pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{}))(t)
}
