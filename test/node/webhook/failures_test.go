//go:build node

package webhook

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// webhookUnavailable has the errors of an API server that gets no response from the webhook. It stores nothing then.
var webhookUnavailable = []string{"failed calling webhook", "conversion webhook for"}

var failures = []struct {
	name   string
	inject func(t *testing.T, c *cluster, l *load)
	// allowed parts of errors of calls meanwhile. Without them no call may fail.
	allowed []string
}{
	{"a pod is evicted", evictPod, nil},
	{"a pod is deleted by force", deletePodByForce, webhookUnavailable},
	{
		"the API server restarts",
		restartAPIServer,
		append([]string{
			"connect: connection refused", "EOF", "connection reset", "http2: ",
			"apiserver is shutting down",
		}, webhookUnavailable...),
	},
	{"a replica is killed", killReplica, webhookUnavailable},
	{"a replica hangs", freezeReplica, webhookUnavailable},
	{"the node's disk is full", fillDisk, nil}, // last, because the node starts no pods for five minutes after it
}

// TestFailures causes failures under load. Acknowledged writes are never lost, calls fail for known reasons only, and
// all calls succeed again afterward.
func TestFailures(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.install(t, "self")
	// The server logs each call, because the full disk has to affect it.
	c.shell(t,
		`kubectl patch deployment claimbridge -n claimbridge-system --type=json -p '[
{"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--v=2"}]'
kubectl rollout status deployment/claimbridge -n claimbridge-system --timeout=3m`)
	c.waitForReplicas(t, 2)
	l := c.startLoad(t, callsPerSecond())
	l.waitForCalls(t, 100)
	for _, failure := range failures {
		t.Run(failure.name, func(t *testing.T) {
			started, before := time.Now(), l.successes()
			failure.inject(t, c, l)
			took := since(started)
			l.waitForRecovery(t)
			counts := l.failuresSince(started)
			t.Logf("%d calls succeeded during %s; failed:%s", l.successes()-before, took, formatCounts(counts))
			for _, reason := range unexpected(counts, failure.allowed) {
				t.Errorf("unexpected failure: %s", reason)
			}
		})
	}
	l.end(t)
	restarts, reasons := c.restarts(t)
	t.Logf("%d restarts of containers: %s", restarts, reasons)
}

// evictPod evicts one of two pods, and then tries to evict the other one, which the PodDisruptionBudget prevents.
func evictPod(t *testing.T, c *cluster, _ *load) {
	pods := c.pods(t)
	// The disruption controller needs a while to count the pods.
	await.True(t, "a pod is evicted", func() bool {
		err := c.evict(t, pods[0])
		if err != nil {
			t.Log(err)
		}
		return err == nil || apierrors.IsNotFound(err)
	})
	if err := c.evict(t, pods[1]); err == nil || !strings.Contains(err.Error(), "disruption budget") {
		t.Errorf("eviction of the second pod: got error %v, want one about the disruption budget", err)
	}
	c.waitForReplicas(t, 2)
}

// evict a pod without retries of the client library.
func (c *cluster) evict(t *testing.T, pod corev1.Pod) error {
	t.Helper()
	return c.core.CoreV1().RESTClient().Post().
		Namespace(namespace).Resource("pods").Name(pod.Name).SubResource("eviction").
		MaxRetries(0).
		Body(&policyv1.Eviction{
			ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: namespace},
		}).Do(t.Context()).Error()
}

func deletePodByForce(t *testing.T, c *cluster, _ *load) {
	c.shell(t, "kubectl delete pod -n claimbridge-system --grace-period=0 --force "+c.pods(t)[0].Name)
	c.waitForReplicas(t, 2)
}

// killReplica kills the process of a replica, as the kernel does when memory is exhausted.
func killReplica(t *testing.T, c *cluster, _ *load) {
	pod := c.pods(t)[0]
	before, _ := c.restarts(t)
	c.runInNode(t, "kill", "-KILL", c.pid(t, pod))
	await.True(t, "the kubelet restarts the container", func() bool { n, _ := c.restarts(t); return n > before })
	c.waitForReplicas(t, 2)
}

// freezeReplica stops the process of a replica: its connections stay open without responses, as on a node that hangs.
func freezeReplica(t *testing.T, c *cluster, l *load) {
	pod := c.pods(t)[0]
	pid, started := c.pid(t, pod), time.Now()
	c.runInNode(t, "kill", "-STOP", pid)
	await.True(t, "the Service excludes the replica", func() bool { return !c.hasReadyEndpoint(t, pod.Name) })
	t.Logf("the Service excludes the replica after %s", since(started))
	l.waitForCalls(t, 100)
	if fullRun() {
		time.Sleep(time.Until(started.Add(time.Minute))) // docs/operations.md has the failures of one minute
	}
	c.runInNode(t, "sh", "-c", "kill -CONT "+pid+" || true") // the kubelet may have killed it
	c.waitForReplicas(t, 2)
	t.Logf("all replicas are ready after %s", since(started))
}

func restartAPIServer(t *testing.T, c *cluster, _ *load) {
	started := time.Now()
	must.Do(t, c.RestartAPIServer(t.Context()))
	t.Logf("the API server is ready after %s", since(started))
}

// fillDisk fills the disk that has the logs of pods, for 500 calls. The server logs each of them.
func fillDisk(t *testing.T, c *cluster, l *load) {
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		if err := c.Command(ctx, "rm", "-f", "/var/full").Run(); err != nil {
			t.Errorf("delete the file that fills the disk: %v", err)
		}
	})
	before, _ := c.restarts(t)
	await.True(t, "the disk is full", func() bool { // other processes may free some space meanwhile
		c.runInNode(t, "sh", "-c", "dd if=/dev/zero of=/var/full bs=1M oflag=append conv=notrunc 2>/dev/null || true")
		return c.freeDiskKiB(t) == 0
	})
	l.waitForCalls(t, 500)
	t.Log(strings.TrimSpace(c.runInNode(t, "sh", "-c", "df -h /var | tail -1")))
	c.waitForReplicas(t, 2)
	if after, reasons := c.restarts(t); after != before {
		t.Errorf("%d restarts: %s", after-before, reasons)
	}
	c.runInNode(t, "rm", "-f", "/var/full")
	if c.freeDiskKiB(t) == 0 {
		t.Error("the disk is still full after the file is deleted")
	}
}

func (c *cluster) freeDiskKiB(t *testing.T) (free int) {
	t.Helper()
	output := c.runInNode(t, "df", "--output=avail", "/var")
	if _, err := fmt.Sscan(strings.TrimPrefix(strings.TrimSpace(output), "Avail"), &free); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return free
}
