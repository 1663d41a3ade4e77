//go:build node

package webhook

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// memory of a container, as the kernel counts it.
type memory struct {
	limit, peak int64
	reached     int64 // how often it was at its limit, and something had to be reclaimed
	kills       int64 // how often something was ended there
}

func (m memory) String() string {
	return fmt.Sprintf("%d MB of memory at most, of %d; at its limit %d times, ended %d times", m.peak/1e6, m.limit/1e6, m.reached, m.kills)
}

// memory of the server in a pod, by cgroup v1 or v2.
func (c *cluster) memory(t *testing.T, pod corev1.Pod) (m memory) {
	t.Helper()
	ask := `for f in $(grep -lx ` + c.process(t, pod) + ` $(find /sys/fs/cgroup -path '*` + string(pod.UID) + `*' -name cgroup.procs)); do
cd ${f%/*}
if [ -e memory.limit_in_bytes ]; then
  cat memory.limit_in_bytes memory.max_usage_in_bytes memory.failcnt
  sed -n 's/^oom_kill //p' memory.oom_control
elif [ -e memory.max ]; then
  cat memory.max memory.peak
  sed -n 's/^max //p; s/^oom_kill //p' memory.events
fi; done`
	fields := strings.Fields(c.inside(t, "sh", "-c", ask))
	if len(fields) != 4 {
		t.Fatalf("the kernel has no counters of pod %s: %q", pod.Name, fields)
	}
	for i, value := range []*int64{&m.limit, &m.peak, &m.reached, &m.kills} {
		var err error
		if *value, err = strconv.ParseInt(fields[i], 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return m
}
