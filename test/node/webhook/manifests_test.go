//go:build node

package webhook

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/node"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// expectManifestsEnforced checks that kernel, kubelet, scheduler and controllers enforce the settings of the manifests.
func (c *cluster) expectManifestsEnforced(t *testing.T) {
	t.Run("the service account has only the rights that it needs", c.expectRights)
	t.Run("the kernel limits memory", func(t *testing.T) {
		for _, pod := range c.pods(t) {
			if m := c.memory(t, pod); m.limit != limit {
				t.Errorf("memory of %s: got %s, want a limit of %d bytes", pod.Name, m, limit)
			} else {
				t.Logf("memory of %s: %s", pod.Name, m)
			}
		}
	})
	t.Run("the process has no privileges", c.expectConfined)
	t.Run("pods are spread over nodes", c.expectSpread(false))
	t.Run("pods are spread over zones", c.expectSpread(true))
	t.Run("a replica preempts pods of lower priority", c.expectPriority)
	t.Run("a missing image keeps the old replicas running", c.expectPull)
}

// expectConfined checks the process: no capabilities, not root, seccomp, no new privileges, a read-only root file
// system.
func (c *cluster) expectConfined(t *testing.T) {
	process := c.pid(t, c.pods(t)[0])
	status := c.runInNode(t, "cat", "/proc/"+process+"/status")
	for _, want := range []string{
		"Uid:\t65532\t65532\t65532\t65532", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000",
		"NoNewPrivs:\t1", "Seccomp:\t2",
	} {
		if !strings.Contains(status, want+"\n") {
			t.Errorf("want %q in\n%s", want, status)
		}
	}
	mounts := c.runInNode(t, "sed", "-n", "s#^[^ ]* / [^ ]* ro.*#read-only#p", "/proc/"+process+"/mounts")
	if strings.TrimSpace(mounts) != "read-only" {
		t.Errorf("the root file system is writable: %s", c.runInNode(t, "cat", "/proc/"+process+"/mounts"))
	}
}

// expectSpread checks that pods are spread over two nodes. One of them is only an object, without a kubelet, which the
// scheduler cannot know.
func (c *cluster) expectSpread(zones bool) func(t *testing.T) {
	return func(t *testing.T) {
		nodes := c.core.CoreV1().Nodes()
		realNode := must.Get(nodes.Get(t.Context(), node.Name, metav1.GetOptions{}))(t)
		other := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{
				Name:   "other",
				Labels: map[string]string{corev1.LabelHostname: "other", corev1.LabelOSStable: "linux"},
			},
			Status: realNode.Status,
		}
		if zones {
			c.shell(t, "kubectl label node "+node.Name+" topology.kubernetes.io/zone=a")
			other.Labels[corev1.LabelTopologyZone] = "b"
		}
		must.Get(nodes.Create(t.Context(), other, metav1.CreateOptions{}))(t)
		defer func() {
			c.shell(t, `kubectl delete pod busy --ignore-not-found --force --grace-period=0
kubectl delete node other
kubectl scale deployment/claimbridge -n claimbridge-system --replicas=2
kubectl delete pod -n claimbridge-system --force --grace-period=0 --field-selector=spec.nodeName=other`)
			c.waitForReplicas(t, 2)
		}()
		await.True(t, "the other node has no taints", func() bool {
			n, err := nodes.Get(t.Context(), "other", metav1.GetOptions{})
			return err == nil && len(n.Spec.Taints) == 0
		})
		// Without topology spread constraints, all pods would go to the node with more free resources.
		allocatable := realNode.Status.Allocatable.Cpu().MilliValue()
		busy := podRequesting("busy", allocatable*6/10, c.pods(t)[0].Spec.Containers[0].Image)
		busy.Spec.NodeSelector = other.Labels
		pods := c.core.CoreV1().Pods(metav1.NamespaceDefault)
		must.Get(pods.Create(t.Context(), busy, metav1.CreateOptions{}))(t)
		await.True(t, "the scheduler knows the other node", func() bool {
			p, err := pods.Get(t.Context(), "busy", metav1.GetOptions{})
			return err == nil && p.Spec.NodeName == "other"
		})
		c.shell(t, "kubectl scale deployment/claimbridge -n claimbridge-system --replicas=4")
		podsByNode := map[string]int{}
		await.True(t, "four pods have a node", func() bool {
			clear(podsByNode)
			for _, p := range c.pods(t) {
				podsByNode[p.Spec.NodeName]++
			}
			return podsByNode[node.Name]+podsByNode["other"] == 4
		})
		t.Logf("pods by node: %v", podsByNode)
		if podsByNode["other"] != 2 {
			t.Errorf("pods by node: got %v, want two on each", podsByNode)
		}
	}
}

// expectPriority checks that a new replica preempts another pod on a full node.
func (c *cluster) expectPriority(t *testing.T) {
	full := must.Get(c.core.CoreV1().Nodes().Get(t.Context(), node.Name, metav1.GetOptions{}))(t)
	cpu := full.Status.Allocatable.Cpu().MilliValue()
	used := int64(2 * 100) // requests of two replicas
	filler := podRequesting("filler", cpu-used-50, c.pods(t)[0].Spec.Containers[0].Image)
	pods := c.core.CoreV1().Pods(metav1.NamespaceDefault)
	must.Get(pods.Create(t.Context(), filler, metav1.CreateOptions{}))(t)
	started := time.Now()
	await.True(t, "the node is full", func() bool {
		p, err := pods.Get(t.Context(), "filler", metav1.GetOptions{})
		return err == nil && p.Status.Phase == corev1.PodRunning
	})
	t.Logf("full after %s", since(started))
	if _, err := c.core.AppsV1().Deployments(namespace).Patch(t.Context(), "claimbridge", types.MergePatchType,
		[]byte(`{"spec":{"replicas":3}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	c.waitForReplicas(t, 3)
	p, err := pods.Get(t.Context(), "filler", metav1.GetOptions{})
	if err == nil && p.DeletionTimestamp == nil {
		t.Error("the other pod was not preempted")
	}
	t.Logf("the third replica is ready after %s, and the other pod is deleted", since(started))
	c.shell(t, "kubectl scale deployment/claimbridge -n claimbridge-system --replicas=2")
	c.waitForReplicas(t, 2)
}

// podRequesting returns a pod that requests CPU, in millicores.
func podRequesting(name string, cpu int64, image string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: name,
	}, Spec: corev1.PodSpec{TerminationGracePeriodSeconds: new(int64(1)), Containers: []corev1.Container{{
		Name: "any", Image: image,
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(cpu, resource.DecimalSI)},
		},
	}}}}
}
