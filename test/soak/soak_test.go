//go:build e2e

package soak

import (
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/soak/attack"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var length = flag.Duration("soak", 5*time.Second, "how long TestSoak lasts")

const (
	// attackers send expensive requests concurrently. Four more hold connections.
	attackers = 6
	// rate of normal calls per second.
	rate = 50
	// recovery is the time limit after an attack for normal calls to be served again.
	recovery = 10 * time.Second
)

// TestSoak sends expensive requests to a server, and normal calls at a steady rate at the same time. The server may
// reject any number of these during the attack, but must serve them again soon after it.
func TestSoak(t *testing.T) {
	s, attacks, calls := startServer(t), attack.All(), &calls{}
	end := make(chan struct{})
	time.AfterFunc(*length, func() { close(end) })
	isOver := func() bool {
		select {
		case <-end:
			return true
		default:
			return s.hasExited()
		}
	}
	var background, normal sync.WaitGroup
	for n := range attackers {
		background.Go(func() {
			random, client := rand.New(rand.NewPCG(uint64(n), 1)), s.client()
			defer client.CloseIdleConnections()
			for !isOver() {
				got, err := s.send(client, attacks[random.IntN(len(attacks))])
				calls.countAttack(got.code, err)
			}
		})
	}
	for _, text := range []string{
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16777216\r\n\r\n",
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16384\r\n\r\n" + strings.Repeat(" ", 16000),
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194304\r\n\r\n" + strings.Repeat(" ", 300<<10),
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nX-Half: " + strings.Repeat("x", 10<<10),
	} {
		background.Go(func() { s.hold(end, isOver, text) })
	}
	client := s.client()
	defer client.CloseIdleConnections()
	ticker := time.NewTicker(time.Second / rate)
	defer ticker.Stop()
	for n := 0; !isOver(); n++ {
		select {
		case <-ticker.C:
			normal.Go(func() { calls.sendNormal(s, client, n) })
		case <-end:
		}
	}
	background.Wait()
	ended := time.Now()
	normal.Wait()
	for n := 0; ; n += 2 { // until one call of each kind is served
		if s.hasExited() {
			t.Fatal("the server has exited")
		}
		if calls.sendNormal(s, client, n) && calls.sendNormal(s, client, n+1) {
			break
		}
		if time.Since(ended) > recovery {
			t.Fatalf("%s after the attack, normal calls are not served: %q", recovery,
				calls.failed[len(calls.failed)-1])
		}
	}
	recovered := time.Since(ended)
	peak := must.Get(s.peak())(t)
	t.Logf("%s\nserved again after the attack: %s\npeak memory of the server: %d MB of %d",
		calls, recovered.Round(time.Millisecond), peak/1e6, memoryLimit/1_000_000)
	if recovered > recovery || peak > memoryLimit || len(calls.statuses) == 0 {
		t.Errorf("want at most %s and %d bytes of memory, and responses to the attack", recovery, memoryLimit)
	}
}

// hold opens connections that send a part of a request and are then silent. It closes the oldest beyond 100.
func (s *server) hold(end <-chan struct{}, isOver func() bool, text string) {
	var open []*tls.Conn
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	for !isOver() {
		if len(open) == 100 {
			_ = open[0].Close()
			open = open[1:]
		}
		if connection, err := tls.Dial("tcp", s.address, s.tls); err == nil {
			_, _ = io.WriteString(connection, text)
			open = append(open, connection)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-end:
		}
	}
}

// calls counts the results of normal calls and attacks.
type calls struct {
	mutex     sync.Mutex
	latencies []time.Duration
	// retried calls were served after one or more retries.
	retried, retries int
	// failed has the results of normal calls that were not served.
	failed []string
	// statuses of responses to attacks, with their number.
	statuses map[string]int
}

// sendNormal sends a normal call like an API server, and reports whether it was served. It retries up to ten times, for
// 30 seconds, after 429 and 503 with Retry-After.
func (c *calls) sendNormal(s *server, client *http.Client, n int) (isServed bool) {
	object := attack.Claim("v1alpha2",
		fmt.Sprintf(`,"annotations":{"number":"%d","text":%q}`, n, strings.Repeat("x", 1500)),
		`,"spec":{"resourceClassName":"c"}`)
	kinds := []attack.Attack{
		{Path: "/convert", Body: reviews.Conversion("resource.k8s.io/v1alpha3", object)},
		{Path: "/validate", Body: reviews.Admission("CREATE", "", object, "null")},
	}
	started := time.Now()
	for retries := 0; ; retries++ {
		got, err := s.send(client, kinds[n%2])
		isServed = err == nil && got.code == http.StatusOK && (strings.Contains(got.text, `"allowed":true`) ||
			strings.Contains(got.text, `"result":{"status":"Success"}`))
		if !isServed && err == nil && got.retryAfter > 0 && retries < 10 && time.Since(started) < 30*time.Second {
			time.Sleep(time.Duration(got.retryAfter) * time.Second)
			continue
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if !isServed {
			c.failed = append(c.failed, fmt.Sprintf("%d %v %.200s", got.code, err, got.text))
			return false
		}
		c.latencies = append(c.latencies, time.Since(started))
		c.retries += retries
		c.retried += min(retries, 1)
		return true
	}
}

// countAttack counts the result of an attack.
func (c *calls) countAttack(code int, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	status := fmt.Sprint(code)
	if err != nil {
		status = "no response"
	}
	if c.statuses == nil {
		c.statuses = map[string]int{}
	}
	c.statuses[status]++
}

func (c *calls) String() string {
	slices.Sort(c.latencies)
	percentile := func(part float64) time.Duration {
		return c.latencies[int(part*float64(len(c.latencies)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("normal calls: %d served, of which %d after retries (%d in total); %d failed %.2000q\n"+
		"latency: p50 %s, p99 %s, maximum %s\nresponses to attacks: %v",
		len(c.latencies), c.retried, c.retries, len(c.failed), c.failed,
		percentile(.5), percentile(.99), percentile(1), c.statuses)
}

// TestMemoryMatchesTheManifests checks that memoryLimit is the limit of the deployment.
func TestMemoryMatchesTheManifests(t *testing.T) {
	deployment := must.Get(os.ReadFile("../../config/manager/deployment.yaml"))(t)
	want := fmt.Sprintf("limits:\n            memory: %dMi\n", memoryLimit>>20)
	if !strings.Contains(string(deployment), want) {
		t.Errorf("the deployment has no %q", want)
	}
}
