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

// promises of the manifests, asked of those who carry them out: kernel, kubelet, scheduler and controllers.
func (c *cluster) promises(t *testing.T) {
	t.Run("the account has the rights that it needs and no others", c.expectRights)
	t.Run("the kernel holds each pod to its memory", func(t *testing.T) {
		for _, pod := range c.pods(t) {
			if m := c.memory(t, pod); m.limit != limit {
				t.Errorf("%s: %s", pod.Name, m)
			} else {
				t.Logf("%s: %s", pod.Name, m)
			}
		}
	})
	t.Run("the process has no rights to speak of", c.expectConfined)
	t.Run("pods are spread over nodes without zones", c.expectSpread(false))
	t.Run("pods are spread over zones", c.expectSpread(true))
	t.Run("a pod takes the place of less important ones", c.expectPriority)
	t.Run("an image that is not there stops nothing", c.expectPull)
}

// expectConfined: no capability, no root, a filter of system calls, no privileges to gain, and a
// root that cannot be written.
func (c *cluster) expectConfined(t *testing.T) {
	process := c.process(t, c.pods(t)[0])
	status := c.inside(t, "cat", "/proc/"+process+"/status")
	for _, want := range []string{
		"Uid:\t65532\t65532\t65532\t65532", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000",
		"NoNewPrivs:\t1", "Seccomp:\t2",
	} {
		if !strings.Contains(status, want+"\n") {
			t.Errorf("want %q in\n%s", want, status)
		}
	}
	mounts := c.inside(t, "sed", "-n", "s#^[^ ]* / [^ ]* ro.*#read-only#p", "/proc/"+process+"/mounts")
	if strings.TrimSpace(mounts) != "read-only" {
		t.Errorf("the root can be written: %s", c.inside(t, "cat", "/proc/"+process+"/mounts"))
	}
}

// expectSpread over two nodes, of which one is an object and nothing more: the scheduler does not know that.
func (c *cluster) expectSpread(zones bool) func(t *testing.T) {
	return func(t *testing.T) {
		nodes := c.core.CoreV1().Nodes()
		there := must.Get(nodes.Get(t.Context(), node.Name, metav1.GetOptions{}))(t)
		other := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{
				Name:   "other",
				Labels: map[string]string{corev1.LabelHostname: "other", corev1.LabelOSStable: "linux"},
			},
			Status: there.Status,
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
			c.whole(t, 2)
		}()
		await.True(t, "the other node may be used", func() bool {
			n, err := nodes.Get(t.Context(), "other", metav1.GetOptions{})
			return err == nil && len(n.Spec.Taints) == 0
		})
		// Without the wish to be spread all would go to the node that has more room.
		busy := filling("busy", there.Status.Allocatable.Cpu().MilliValue()*6/10, c.pods(t)[0].Spec.Containers[0].Image)
		busy.Spec.NodeSelector = other.Labels
		pods := c.core.CoreV1().Pods(metav1.NamespaceDefault)
		must.Get(pods.Create(t.Context(), busy, metav1.CreateOptions{}))(t)
		await.True(t, "the scheduler knows the other node", func() bool {
			p, err := pods.Get(t.Context(), "busy", metav1.GetOptions{})
			return err == nil && p.Spec.NodeName == "other"
		})
		c.shell(t, "kubectl scale deployment/claimbridge -n claimbridge-system --replicas=4")
		places := map[string]int{}
		await.True(t, "four pods have a node", func() bool {
			clear(places)
			for _, p := range c.pods(t) {
				places[p.Spec.NodeName]++
			}
			return places[node.Name]+places["other"] == 4
		})
		t.Logf("four pods on two nodes: %v", places)
		if places["other"] != 2 {
			t.Error("they are not spread")
		}
	}
}

// expectPriority: on a node that is full of other pods a replica still finds room.
func (c *cluster) expectPriority(t *testing.T) {
	full := must.Get(c.core.CoreV1().Nodes().Get(t.Context(), node.Name, metav1.GetOptions{}))(t)
	cpu := full.Status.Allocatable.Cpu().MilliValue()
	used := int64(2 * 100) // what two replicas ask for
	filler := filling("filler", cpu-used-50, c.pods(t)[0].Spec.Containers[0].Image)
	pods := c.core.CoreV1().Pods(metav1.NamespaceDefault)
	must.Get(pods.Create(t.Context(), filler, metav1.CreateOptions{}))(t)
	begun := time.Now()
	await.True(t, "the node is full", func() bool {
		p, err := pods.Get(t.Context(), "filler", metav1.GetOptions{})
		return err == nil && p.Status.Phase == corev1.PodRunning
	})
	t.Logf("full after %s", since(begun))
	if _, err := c.core.AppsV1().Deployments(namespace).Patch(t.Context(), "claimbridge", types.MergePatchType,
		[]byte(`{"spec":{"replicas":3}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	c.whole(t, 3)
	p, err := pods.Get(t.Context(), "filler", metav1.GetOptions{})
	if err == nil && p.DeletionTimestamp == nil {
		t.Error("the other pod is still there")
	}
	t.Logf("after %s a third replica runs, and the pod that filled the node had to go", since(begun))
	c.shell(t, "kubectl scale deployment/claimbridge -n claimbridge-system --replicas=2")
	c.whole(t, 2)
}

// filling is a pod that asks for so many thousandths of a processor.
func filling(name string, cpu int64, image string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: name,
	}, Spec: corev1.PodSpec{TerminationGracePeriodSeconds: new(int64(1)), Containers: []corev1.Container{{
		Name: "any", Image: image,
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(cpu, resource.DecimalSI)},
		},
	}}}}
}
