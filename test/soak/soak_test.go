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

var duration = flag.Duration("soak", 5*time.Second, "duration of TestSoak")

const (
	// attackers is the number of clients that send expensive requests. Four more clients hold connections.
	attackers = 6
	// callsPerSecond is the rate of normal calls.
	callsPerSecond = 50
	// recovery is the time limit after an attack for normal calls to be served again.
	recovery = 10 * time.Second
)

// TestSoak sends expensive requests to a server, and normal calls at a steady rate at the same time. The server may
// reject any number of these during the attack, but must serve them again soon after it.
func TestSoak(t *testing.T) {
	s := startServer(t)
	attacks := attack.All()
	results := &callResults{}
	end := make(chan struct{})
	time.AfterFunc(*duration, func() { close(end) })
	isOver := func() bool {
		select {
		case <-end:
			return true
		default:
			return s.hasExited()
		}
	}
	var attackClients, normalCalls sync.WaitGroup
	for n := range attackers {
		attackClients.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), 1))
			client := s.client()
			defer client.CloseIdleConnections()
			for !isOver() {
				got, err := s.send(client, attacks[random.IntN(len(attacks))])
				results.countAttack(got.code, err)
			}
		})
	}
	for _, text := range []string{
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16777216\r\n\r\n",
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16384\r\n\r\n" + strings.Repeat(" ", 16000),
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194304\r\n\r\n" + strings.Repeat(" ", 300<<10),
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nX-Half: " + strings.Repeat("x", 10<<10),
	} {
		attackClients.Go(func() { s.hold(end, isOver, text) })
	}
	client := s.client()
	defer client.CloseIdleConnections()
	ticker := time.NewTicker(time.Second / callsPerSecond)
	defer ticker.Stop()
	for n := 0; !isOver(); n++ {
		select {
		case <-ticker.C:
			normalCalls.Go(func() { results.sendNormal(s, client, n) })
		case <-end:
		}
	}
	attackClients.Wait()
	ended := time.Now()
	normalCalls.Wait()
	for n := 0; ; n += 2 { // until one call of each kind is served
		if s.hasExited() {
			t.Fatal("the server has exited")
		}
		if results.sendNormal(s, client, n) && results.sendNormal(s, client, n+1) {
			break
		}
		if time.Since(ended) > recovery {
			t.Fatalf("%s after the attack, normal calls are not served: %q", recovery,
				results.failed[len(results.failed)-1])
		}
	}
	recovered := time.Since(ended)
	peak := must.Get(s.peakMemory())(t)
	t.Logf("%s\nserved again after the attack: %s\npeak memory of the server: %d MB of %d",
		results, recovered.Round(time.Millisecond), peak/1e6, memoryLimit/1_000_000)
	if recovered > recovery {
		t.Errorf("normal calls are served %s after the attack, want at most %s", recovered, recovery)
	}
	checkPeakMemory(t, peak, memoryLimit)
	if len(results.attackStatuses) == 0 {
		t.Error("got no result of an attack")
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

// checkPeakMemory fails the test if a server needed too much memory.
func checkPeakMemory(t *testing.T, peak, limit int64) {
	t.Helper()
	if peak > limit {
		t.Errorf("peak memory: got %d MB, want at most %d MB", peak/1e6, limit/1e6)
	}
}

// callResults counts the results of normal calls and attacks.
type callResults struct {
	mutex sync.Mutex
	// latencies of normal calls that were served.
	latencies []time.Duration
	// retriedCalls is the number of normal calls that were served after one or more retries.
	retriedCalls int
	// retries is the number of retries of these calls.
	retries int
	// failed has the results of normal calls that were not served.
	failed []string
	// attackStatuses has the number of attacks for each HTTP status.
	attackStatuses map[string]int
}

// sendNormal sends a normal call like an API server, and reports whether it was served. It retries up to ten times, for
// 30 seconds, after 429 and 503 with Retry-After. Calls with an even number are conversions, the others validations.
func (c *callResults) sendNormal(s *server, client *http.Client, number int) bool {
	object := attack.Claim("v1alpha2",
		fmt.Sprintf(`,"annotations":{"number":"%d","text":%q}`, number, strings.Repeat("x", 1500)),
		`,"spec":{"resourceClassName":"c"}`)
	request := attack.Request{Path: "/convert", Body: reviews.Conversion("resource.k8s.io/v1alpha3", object)}
	success := `"result":{"status":"Success"}`
	if number%2 == 1 {
		request = attack.Request{Path: "/validate", Body: reviews.Admission("CREATE", "", object, "null")}
		success = `"allowed":true`
	}
	started := time.Now()
	for retries := 0; ; retries++ {
		got, err := s.send(client, request)
		isServed := err == nil && got.code == http.StatusOK && strings.Contains(got.text, success)
		canRetry := err == nil && got.retryAfter > 0 && retries < 10 && time.Since(started) < 30*time.Second
		if !isServed && canRetry {
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
		if retries > 0 {
			c.retriedCalls++
			c.retries += retries
		}
		return true
	}
}

// countAttack counts the result of an attack.
func (c *callResults) countAttack(code int, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	status := fmt.Sprint(code)
	if err != nil {
		status = "no response"
	}
	if c.attackStatuses == nil {
		c.attackStatuses = map[string]int{}
	}
	c.attackStatuses[status]++
}

func (c *callResults) String() string {
	slices.Sort(c.latencies)
	percentile := func(fraction float64) time.Duration {
		return c.latencies[int(fraction*float64(len(c.latencies)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("normal calls: %d served, of which %d after retries (%d in total); %d failed %.2000q\n"+
		"latency: p50 %s, p99 %s, maximum %s\nresponses to attacks: %v",
		len(c.latencies), c.retriedCalls, c.retries, len(c.failed), c.failed,
		percentile(.5), percentile(.99), percentile(1), c.attackStatuses)
}

// TestMemoryMatchesTheManifests checks that memoryLimit is the limit of the deployment.
func TestMemoryMatchesTheManifests(t *testing.T) {
	deployment := must.Get(os.ReadFile("../../config/manager/deployment.yaml"))(t)
	want := fmt.Sprintf("limits:\n            memory: %dMi\n", memoryLimit>>20)
	if !strings.Contains(string(deployment), want) {
		t.Errorf("config/manager/deployment.yaml does not contain %q", want)
	}
}
