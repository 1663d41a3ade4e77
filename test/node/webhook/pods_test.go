//go:build node

package webhook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// labels of the server's pods.
const labels = "app.kubernetes.io/name=claimbridge"

// pods returns the pods of the server that are not being deleted.
func (c *cluster) pods(t *testing.T) []corev1.Pod {
	t.Helper()
	list := must.Get(c.core.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: labels}))(t)
	return slices.DeleteFunc(list.Items, func(p corev1.Pod) bool { return p.DeletionTimestamp != nil })
}

func ready(p corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// waitForReplicas waits until the server has exactly so many pods, and all of them are ready.
func (c *cluster) waitForReplicas(t *testing.T, replicas int) {
	t.Helper()
	output := ""
	await.True(t, fmt.Sprintf("%d replicas are ready", replicas), func() bool {
		pods := c.pods(t)
		now := ""
		for _, p := range pods {
			now += fmt.Sprintf(" %s: %s %s ready %t;", p.Name, p.Status.Phase, p.Status.Reason, ready(p))
		}
		if now != output {
			output = now
			t.Logf("pods, waiting for %d:%s", replicas, now)
		}
		return len(pods) == replicas && !slices.ContainsFunc(pods, func(p corev1.Pod) bool { return !ready(p) })
	})
}

// hasReadyEndpoint reports whether the Service sends traffic to a pod.
func (c *cluster) hasReadyEndpoint(t *testing.T, pod string) bool {
	t.Helper()
	list, err := c.core.DiscoveryV1().EndpointSlices(namespace).List(t.Context(), metav1.ListOptions{
		LabelSelector: "kubernetes.io/service-name=claimbridge",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, slice := range list.Items {
		for _, e := range slice.Endpoints {
			if e.TargetRef != nil && e.TargetRef.Name == pod && e.Conditions.Ready != nil && *e.Conditions.Ready {
				return true
			}
		}
	}
	return false
}

// pid returns the process ID of a pod's server in the node.
func (c *cluster) pid(t *testing.T, pod corev1.Pod) string {
	t.Helper()
	found := c.runInNode(t, "sh", "-c",
		`for p in $(find /sys/fs/cgroup -path '*`+string(pod.UID)+`*' -name cgroup.procs -exec cat {} + | sort -un); do
grep -q ^claimbridge /proc/$p/comm 2>/dev/null && echo $p; done; true`)
	processes := strings.Fields(found)
	if len(processes) != 1 {
		t.Fatalf("pod %s has the processes %q, want one", pod.Name, processes)
	}
	return processes[0]
}

// restarts counts the restarts of all containers, and returns the reasons.
func (c *cluster) restarts(t *testing.T) (n int, reasons []string) {
	t.Helper()
	for _, p := range c.pods(t) {
		for _, s := range p.Status.ContainerStatuses {
			n += int(s.RestartCount)
			if s.LastTerminationState.Terminated != nil {
				reasons = append(reasons,
					fmt.Sprintf("%s: %s, %d", p.Name, s.LastTerminationState.Terminated.Reason,
						s.LastTerminationState.Terminated.ExitCode))
			}
		}
	}
	return n, reasons
}

// memory has the kernel's counters for a container.
type memory struct {
	limit, peak int64 // bytes
	reclaims    int64 // how often the container reached its limit, and the kernel reclaimed memory
	kills       int64 // processes killed at the limit
}

func (m memory) String() string {
	return fmt.Sprintf("peak %d MB, limit %d MB, reclaimed %d times, killed %d times", m.peak/1e6, m.limit/1e6,
		m.reclaims, m.kills)
}

// memory reads the counters of the server in a pod, from cgroup v1 or v2.
func (c *cluster) memory(t *testing.T, pod corev1.Pod) (m memory) {
	t.Helper()
	script := `for f in $(grep -lx ` + c.pid(t,
		pod) + ` $(find /sys/fs/cgroup -path '*` + string(pod.UID) + `*' -name cgroup.procs)); do
cd ${f%/*}
if [ -e memory.limit_in_bytes ]; then
  cat memory.limit_in_bytes memory.max_usage_in_bytes memory.failcnt
  sed -n 's/^oom_kill //p' memory.oom_control
elif [ -e memory.max ]; then
  cat memory.max memory.peak
  sed -n 's/^max //p; s/^oom_kill //p' memory.events
fi; done`
	fields := strings.Fields(c.runInNode(t, "sh", "-c", script))
	if len(fields) != 4 {
		t.Fatalf("counters of pod %s: got %q, want four", pod.Name, fields)
	}
	for i, value := range []*int64{&m.limit, &m.peak, &m.reclaims, &m.kills} {
		var err error
		if *value, err = strconv.ParseInt(fields[i], 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return m
}
