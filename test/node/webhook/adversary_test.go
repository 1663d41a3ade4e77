//go:build node

package webhook

import (
	"crypto/tls"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/soak/attack"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// limit of the manifests, in bytes.
const limit = 512 << 20

// adversaries send what costs most, one body after the other, to the Service itself.
const adversaries = 6

// attackUnderLoad sends the requests of make soak, including those that once crashed both replicas, during calls of
// honest clients. make soak tests the limits of the server. Here the kernel enforces the memory limit of the manifests,
// and must not kill a replica.
func (c *cluster) attackUnderLoad(t *testing.T) {
	l := c.startLoad(t, 20)
	l.waitForCalls(t, 20)
	length := time.Duration(0)
	if fullRun() {
		length = 5 * time.Minute
	}
	started := time.Now()
	statuses := c.attack(t, length)
	t.Logf("responses to the adversary in %s:%s", since(started), formatCounts(statuses))
	if len(statuses) == 0 {
		t.Error("the adversary sent nothing")
	}
	for _, reason := range unexpected(l.end(t), []string{
		"429", "503", "Too Many Requests", "Service Unavailable", "the server is currently unable",
	}) {
		t.Errorf("a call of an honest client failed, and not because the server is overloaded: %s", reason)
	}
	if restarts, reasons := c.restarts(t); restarts > 0 {
		t.Errorf("%d restarts: %s", restarts, reasons)
	}
	for _, pod := range c.pods(t) {
		m := c.memory(t, pod)
		t.Logf("%s: %s", pod.Name, m)
		if m.limit != limit || m.kills > 0 {
			t.Errorf("%s: want a limit of %d bytes, and no process killed by it", pod.Name, limit)
		}
	}
}

// attack sends all hostile requests through the Service in random order, once and then for a duration. It counts the
// statuses of the responses.
func (c *cluster) attack(t *testing.T, length time.Duration) map[string]int {
	t.Helper()
	service := must.Get(c.core.CoreV1().Services(namespace).Get(t.Context(), "claimbridge", metav1.GetOptions{}))(t)
	url := "https://" + service.Spec.ClusterIP
	bodies := attack.All()
	rand.Shuffle(len(bodies), func(i, j int) { bodies[i], bodies[j] = bodies[j], bodies[i] })
	started := time.Now()
	var next atomic.Int64
	var mutex sync.Mutex
	statuses := map[string]int{}
	var all sync.WaitGroup
	for range adversaries {
		all.Go(func() {
			// An adversary trusts any server.
			//nolint:gosec // it attacks, and has nothing to lose
			client := &http.Client{
				Timeout:   35 * time.Second,
				Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
			}
			for n := int(next.Add(1)) - 1; t.Context().Err() == nil && (n < len(bodies) ||
				time.Since(started) < length); n = int(next.Add(1)) - 1 {
				a := bodies[n%len(bodies)]
				answer := "no answer"
				if response, err := client.Post(url+a.Path, "application/json", strings.NewReader(a.Body)); err == nil {
					_, _ = io.Copy(io.Discard, response.Body)
					_ = response.Body.Close()
					answer = strconv.Itoa(response.StatusCode)
				}
				mutex.Lock()
				statuses[answer]++
				mutex.Unlock()
			}
		})
	}
	all.Wait()
	answered := slices.Sorted(maps.Keys(statuses))
	if len(answered) == 0 || slices.Equal(answered, []string{"no answer"}) {
		t.Errorf("the server answered no attack: %v", statuses)
	}
	return statuses
}
