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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// loss is something that happens to the server.
type loss struct {
	what string
	do   func(t *testing.T, c *cluster, l *load)
	// reasons that a call may fail for meanwhile; none: no call may.
	reasons []string
}

var losses = []loss{
	{"a pod is evicted", evict, nil},
	{"a pod is deleted by force", deleteByForce, answerless},
	{
		"the API server restarts",
		restartAPIServer,
		append([]string{
			"connect: connection refused", "EOF", "connection reset", "http2: ",
			"apiserver is shutting down",
		}, answerless...),
	},
	{"a replica is killed", kill, answerless},
	{"a replica is frozen", freeze, answerless},
	{"the node's disk is full", fillDisk, nil}, // the last one: for five minutes the node takes no pods then
}

// answerless calls of an API server to the server: it says so, and nothing is stored.
var answerless = []string{"failed calling webhook", "conversion webhook for"}

// TestLosses causes one failure after the other, and counts failed calls. Acknowledged writes are always stored and
// read, and some seconds later no call fails.
func TestLosses(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.install(t, "self")
	// A server that logs each call notices a disk that takes no more.
	c.shell(t,
		`kubectl patch deployment claimbridge -n claimbridge-system --type=json -p '[
{"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--v=2"}]'
kubectl rollout status deployment/claimbridge -n claimbridge-system --timeout=3m`)
	c.whole(t, 2)
	l := c.begin(t, rate)
	l.goesOn(t, rate)
	for _, each := range losses {
		t.Run(each.what, func(t *testing.T) {
			from, before := l.now()
			each.do(t, c, l)
			during, _ := l.now()
			l.settles(t)
			_, after := l.now()
			failed, why := l.failed(from)
			t.Logf("in %s %d calls were answered and %d failed%s", (during - from).Round(100*time.Millisecond),
				after-before, failed, listed(why))
			for reason := range why {
				if !known(reason, each.reasons) {
					t.Errorf("unexpected reason: %s", reason)
				}
			}
		})
	}
	l.end(t)
	restarts, how := c.restarts(t)
	t.Logf("%d restarts of containers: %s", restarts, how)
}

func known(reason string, reasons []string) bool {
	for _, part := range reasons {
		if strings.Contains(reason, part) {
			return true
		}
	}
	return false
}

// evict one of two pods, and then the other, which the budget forbids.
func evict(t *testing.T, c *cluster, _ *load) {
	pods := c.pods(t)
	await.True(t, "one pod is evicted", func() bool { // once the budget has heard of both
		err := c.evicted(t, pods[0])
		if err != nil {
			t.Log(err)
		}
		return err == nil
	})
	if err := c.evicted(t, pods[1]); err == nil || !strings.Contains(err.Error(), "disruption budget") {
		t.Errorf("both pods can be evicted at once: %v", err)
	}
	c.whole(t, 2)
}

// evicted or not, without the client's trying again.
func (c *cluster) evicted(t *testing.T, pod corev1.Pod) error {
	t.Helper()
	return c.core.CoreV1().RESTClient().Post().
		Namespace(namespace).Resource("pods").Name(pod.Name).SubResource("eviction").
		MaxRetries(0).
		Body(&policyv1.Eviction{
			ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: namespace},
		}).Do(t.Context()).Error()
}

func deleteByForce(t *testing.T, c *cluster, _ *load) {
	c.shell(t, "kubectl delete pod -n claimbridge-system --grace-period=0 --force "+c.pods(t)[0].Name)
	c.whole(t, 2)
}

// kill a replica's process, as the kernel does for want of memory: calls that it was answering have no answer.
func kill(t *testing.T, c *cluster, _ *load) {
	pod := c.pods(t)[0]
	before, _ := c.restarts(t)
	c.inside(t, "kill", "-KILL", c.process(t, pod))
	await.True(t, "the kubelet starts it again", func() bool { n, _ := c.restarts(t); return n > before })
	c.whole(t, 2)
}

// freeze a replica: it keeps its connections and answers nothing, as on a node that hangs.
func freeze(t *testing.T, c *cluster, l *load) {
	pod := c.pods(t)[0]
	process, begun := c.process(t, pod), time.Now()
	c.inside(t, "kill", "-STOP", process)
	await.True(t, "the Service sends it no calls", func() bool { return !c.served(t, pod.Name) })
	t.Logf("%s after it froze the Service sends it no calls", since(begun))
	l.goesOn(t, rate)
	if full() {
		time.Sleep(time.Until(begun.Add(time.Minute))) // as the documentation counts
	}
	c.inside(t, "sh", "-c", "kill -CONT "+process+" || true") // the kubelet may have ended it
	c.whole(t, 2)
	t.Logf("whole again %s after it froze", since(begun))
}

func restartAPIServer(t *testing.T, c *cluster, _ *load) {
	begun := time.Now()
	must.Do(t, c.RestartAPIServer(t.Context()))
	t.Logf("the API server is back after %s", since(begun))
}

// fillDisk of the node, which the logs of pods are on, for a thousand calls: each would be a line of the log.
func fillDisk(t *testing.T, c *cluster, l *load) {
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		if err := c.In(ctx, "rm", "-f", "/var/full").Run(); err != nil {
			t.Errorf("the disk stays full: %v", err)
		}
	})
	before, _ := c.restarts(t)
	await.True(t, "the disk is full", func() bool { // others may give some of it back meanwhile
		c.inside(t, "sh", "-c", "dd if=/dev/zero of=/var/full bs=1M oflag=append conv=notrunc 2>/dev/null || true")
		return c.free(t) == 0
	})
	l.goesOn(t, 5*rate)
	t.Log(strings.TrimSpace(c.inside(t, "sh", "-c", "df -h /var | tail -1")))
	c.whole(t, 2)
	if after, how := c.restarts(t); after != before {
		t.Errorf("%d restarts: %s", after-before, how)
	}
	c.inside(t, "rm", "-f", "/var/full")
	if c.free(t) == 0 {
		t.Error("the disk is full without the file")
	}
}

// free of the node's disk, in KiB.
func (c *cluster) free(t *testing.T) (free int) {
	t.Helper()
	said := c.inside(t, "df", "--output=avail", "/var")
	if _, err := fmt.Sscan(strings.TrimPrefix(strings.TrimSpace(said), "Avail"), &free); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return free
}
