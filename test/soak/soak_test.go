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
	// adversaries at once that send what costs most; four more hold connections.
	adversaries = 6
	// rate of honest calls in a second.
	rate = 50
	// recovery is how long after an attack's end honest calls are served again.
	recovery = 10 * time.Second
)

// TestSoak keeps a server busy with an adversary's requests, and sends honest calls at a steady
// rate at the same time. Of these the server may turn away as many as it likes, but they have to be
// served again soon after the attack's end.
func TestSoak(t *testing.T) {
	s, attacks, calls := started(t), attack.All(), &calls{}
	end := make(chan struct{})
	time.AfterFunc(*length, func() { close(end) })
	over := func() bool {
		select {
		case <-end:
			return true
		default:
			return s.gone()
		}
	}
	var background, honest sync.WaitGroup
	for n := range adversaries {
		background.Go(func() {
			random, client := rand.New(rand.NewPCG(uint64(n), 1)), s.client()
			defer client.CloseIdleConnections()
			for !over() {
				got, err := s.send(client, attacks[random.IntN(len(attacks))])
				calls.attacked(got.code, err)
			}
		})
	}
	for _, say := range []string{
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16777216\r\n\r\n",
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16384\r\n\r\n" + strings.Repeat(" ", 16000),
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194304\r\n\r\n" + strings.Repeat(" ", 300<<10),
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nX-Half: " + strings.Repeat("x", 10<<10),
	} {
		background.Go(func() { s.hold(end, over, say) })
	}
	client := s.client()
	defer client.CloseIdleConnections()
	every := time.NewTicker(time.Second / rate)
	defer every.Stop()
	for n := 0; !over(); n++ {
		select {
		case <-every.C:
			honest.Go(func() { calls.honest(s, client, n) })
		case <-end:
		}
	}
	background.Wait()
	ended := time.Now()
	honest.Wait()
	for n := 0; ; n += 2 { // until two in a row, one of each kind, are served
		if s.gone() {
			t.Fatal("the server has ended")
		}
		if calls.honest(s, client, n) && calls.honest(s, client, n+1) {
			break
		}
		if time.Since(ended) > recovery {
			t.Fatalf("%s after the attack's end honest calls are not served: %q", recovery,
				calls.lost[len(calls.lost)-1])
		}
	}
	recovered := time.Since(ended)
	peak := must.Get(s.peak())(t)
	t.Logf("%s\nserved again after the attack's end: %s\nmemory of the server at most: %d MB of %d",
		calls, recovered.Round(time.Millisecond), peak/1e6, memoryLimit/1_000_000)
	if recovered > recovery || peak > memoryLimit || len(calls.statuses) == 0 {
		t.Errorf("want at most %s and %d bytes of memory, and an adversary who is answered", recovery, memoryLimit)
	}
}

// hold opens connections that send a part of a request and then nothing, and reopens closed ones.
func (s *server) hold(end <-chan struct{}, over func() bool, say string) {
	var open []*tls.Conn
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	for !over() {
		if len(open) == 100 {
			_ = open[0].Close()
			open = open[1:]
		}
		if connection, err := tls.Dial("tcp", s.address, s.trust); err == nil {
			_, _ = io.WriteString(connection, say)
			open = append(open, connection)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-end:
		}
	}
}

// calls of both kinds, and what became of them.
type calls struct {
	mutex          sync.Mutex
	latencies      []time.Duration
	again, retries int
	lost           []string
	statuses       map[string]int
}

// honest is a call as an API server makes it: after 429 and 503 with Retry-After again, up to ten
// times within its 30 s.
func (c *calls) honest(s *server, client *http.Client, n int) (served bool) {
	object := attack.Claim("v1alpha2",
		fmt.Sprintf(`,"annotations":{"number":"%d","text":%q}`, n, strings.Repeat("x", 1500)),
		`,"spec":{"resourceClassName":"c"}`)
	kinds := []attack.Attack{
		{Path: "/convert", Body: reviews.Conversion("resource.k8s.io/v1alpha3", object)},
		{Path: "/validate", Body: reviews.Admission("CREATE", "", object, "null")},
	}
	begun := time.Now()
	for again := 0; ; again++ {
		got, err := s.send(client, kinds[n%2])
		served := err == nil && got.code == http.StatusOK && (strings.Contains(got.text, `"allowed":true`) ||
			strings.Contains(got.text, `"result":{"status":"Success"}`))
		if !served && err == nil && got.retry > 0 && again < 10 && time.Since(begun) < 30*time.Second {
			time.Sleep(time.Duration(got.retry) * time.Second)
			continue
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if !served {
			c.lost = append(c.lost, fmt.Sprintf("%d %v %.200s", got.code, err, got.text))
			return false
		}
		c.latencies = append(c.latencies, time.Since(begun))
		c.retries, c.again = c.retries+again, c.again+min(again, 1)
		return true
	}
}

func (c *calls) attacked(code int, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	status := fmt.Sprint(code)
	if err != nil {
		status = "no answer"
	}
	if c.statuses == nil {
		c.statuses = map[string]int{}
	}
	c.statuses[status]++
}

func (c *calls) String() string {
	slices.Sort(c.latencies)
	at := func(part float64) time.Duration {
		return c.latencies[int(part*float64(len(c.latencies)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("honest calls: %d served, of which %d were told to come again (%d times); %d lost %.2000q\n"+
		"until served: p50 %s, p99 %s, longest %s\nadversary's answers: %v",
		len(c.latencies), c.again, c.retries, len(c.lost), c.lost, at(.5), at(.99), at(1), c.statuses)
}

func TestMemoryMatchesTheManifests(t *testing.T) {
	deployment := must.Get(os.ReadFile("../../config/manager/deployment.yaml"))(t)
	want := fmt.Sprintf("limits:\n            memory: %dMi\n", memoryLimit>>20)
	if !strings.Contains(string(deployment), want) {
		t.Errorf("the deployment has no %q", want)
	}
}
