//go:build node

package webhook

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	// clients of a load. Each has one call in flight at most, so that a slow machine gets fewer calls per second
	// instead of a growing queue.
	clients = 60
	// callTimeout exceeds the API server's own limit of 60 s, so that each call gets a response.
	callTimeout = 70 * time.Second
)

// callsPerSecond of the load during rollouts and failures.
func callsPerSecond() int {
	if fullRun() {
		return 200
	}
	return 50
}

// fullRun reports whether the test measures the figures of the documentation.
func fullRun() bool { return os.Getenv("CLAIMBRIDGE_NODE_FULL") != "" }

// load is traffic of honest clients, half of it reads and half writes, all through old versions.
type load struct {
	clients []*client
	started time.Time
	stop    func()

	mutex     sync.Mutex
	succeeded map[string]int // by operation
	failed    []failedCall
	latencies []time.Duration       // of calls that succeeded
	statuses  map[int]int           // HTTP statuses, including those that the client library retried
	pending   map[*client]time.Time // when the call that awaits a response started
	losses    []string
}

type failedCall struct {
	started, ended time.Time
	operation      string
	err            error
}

// startLoad starts a load of at most so many calls per second.
func (c *cluster) startLoad(t *testing.T, callsPerSecond int) *load {
	t.Helper()
	l := &load{succeeded: map[string]int{}, statuses: map[int]int{}, pending: map[*client]time.Time{}}
	config := c.Config()
	config.QPS, config.Timeout, config.WarningHandler = -1, callTimeout, rest.NoWarnings{}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return statusCounter{next, l} })
	counted := must.Get(dynamic.NewForConfig(config))(t)
	for i := range clients {
		version := oldVersions[i%len(oldVersions)]
		client := c.newClient(t, fmt.Sprintf("%s-%d", version, i), version)
		client.dynamic = counted
		l.clients = append(l.clients, client)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	l.started = time.Now()
	between := time.Second / time.Duration(callsPerSecond)
	for i, client := range l.clients {
		running.Go(func() { l.run(ctx, client, time.Duration(i)*between, clients*between) })
	}
	l.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
	})
	t.Cleanup(l.stop)
	return l
}

// statusCounter counts HTTP statuses of a load.
type statusCounter struct {
	next http.RoundTripper
	load *load
}

func (c statusCounter) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(r)
	if err == nil {
		c.load.mutex.Lock()
		c.load.statuses[response.StatusCode]++
		c.load.mutex.Unlock()
	}
	return response, err
}

// run starts a call of a client per interval, or less often if calls take longer.
func (l *load) run(ctx context.Context, c *client, delay, interval time.Duration) {
	time.Sleep(delay)
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		started := time.Now()
		l.mutex.Lock()
		l.pending[c] = started
		l.mutex.Unlock()
		operation, err := c.call(context.Background(), n) // a call that has started is not canceled
		l.record(c, operation, started, err)
	}
}

func (l *load) record(c *client, operation string, started time.Time, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.pending, c)
	var loss lossError
	switch {
	case errors.As(err, &loss):
		l.losses = append(l.losses, loss.message)
	case err != nil:
		l.failed = append(l.failed, failedCall{started, time.Now(), operation, err})
	default:
		l.succeeded[operation]++
		l.latencies = append(l.latencies, time.Since(started))
	}
}

// varying parts of errors: addresses, versions, names and timeouts.
var varying = regexp.MustCompile(
	`\b\d+\.\d+\.\d+\.\d+:\d+|v1(alpha|beta)\d(-\d+)?|[?&]timeout=[0-9a-z]+|stream ID \d+`)

// failuresSince counts the calls that failed and ended after a time, by verb and error.
func (l *load) failuresSince(t time.Time) map[string]int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	counts := map[string]int{}
	for _, f := range l.failed {
		if !f.ended.Before(t) {
			verb, _, _ := strings.Cut(f.operation, " ")
			counts[verb+": "+varying.ReplaceAllString(f.err.Error(), "_")]++
		}
	}
	return counts
}

// successes is the number of calls that succeeded.
func (l *load) successes() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.latencies)
}

// pendingSince reports whether a call that started before a time has no response yet.
func (l *load) pendingSince(t time.Time) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, started := range l.pending {
		if started.Before(t) {
			return true
		}
	}
	return false
}

// waitForCalls waits until more calls have succeeded.
func (l *load) waitForCalls(t *testing.T, n int) {
	t.Helper()
	want := l.successes() + n
	await.True(t, fmt.Sprintf("%d calls succeed", n), func() bool { return l.successes() >= want })
}

// waitForRecovery waits until all calls that have started so far have ended, and 200 later ones have succeeded without
// a failure between them.
func (l *load) waitForRecovery(t *testing.T) {
	t.Helper()
	now := time.Now()
	await.True(t, "pending calls end", func() bool { return !l.pendingSince(now) })
	since, before := time.Now(), l.successes()
	await.True(t, "200 calls succeed in a row", func() bool {
		if len(l.failuresSince(since)) > 0 {
			since, before = time.Now(), l.successes()
		}
		return l.successes() >= before+200
	})
}

// end stops the load, checks that no acknowledged write is lost, and returns the failed calls by verb and error.
func (l *load) end(t *testing.T) map[string]int {
	t.Helper()
	l.stop()
	took := time.Since(l.started)
	for _, client := range l.clients {
		client.expectLossless(t)
	}
	for _, loss := range l.losses {
		t.Error(loss)
	}
	failures := l.failuresSince(l.started)
	t.Logf("%d calls succeeded and %d failed in %s, %.0f per second; latency p50 %s, p99 %s, maximum %s; statuses %v",
		len(l.latencies), len(l.failed), took.Round(time.Second),
		float64(len(l.latencies)+len(l.failed))/took.Seconds(),
		l.percentile(.5), l.percentile(.99), l.percentile(1), l.statuses)
	t.Logf("succeeded:%s", formatCounts(l.succeeded))
	if len(failures) > 0 {
		t.Logf("failed:%s", formatCounts(failures))
	}
	t.Logf("compared %d claims in %d versions", len(l.clients), len(versions))
	// the next load creates claims with the same names
	all := claims(l.clients[0].dynamic, "v1")
	must.Do(t, all.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
	return failures
}

// percentile of the latency. The load has ended.
func (l *load) percentile(p float64) time.Duration {
	if len(l.latencies) == 0 {
		return 0
	}
	slices.Sort(l.latencies)
	return l.latencies[int(p*float64(len(l.latencies)-1))].Round(time.Millisecond)
}

// formatCounts prints one line per key.
func formatCounts(counts map[string]int) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		b.WriteString("\n  " + strconv.Itoa(counts[key]) + " " + key)
	}
	return b.String()
}

// unexpected returns the failures whose error contains none of the allowed parts.
func unexpected(failures map[string]int, allowed []string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(failures)), func(failure string) bool {
		return slices.ContainsFunc(allowed, func(part string) bool { return strings.Contains(failure, part) })
	})
}
