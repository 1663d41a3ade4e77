package main

import (
	"container/list"
	"net"
	"sync"
	"time"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/metrics"
)

const (
	// perConnection is what one of an API server takes at most between requests: 70 KiB for TLS and the tables of HTTP/2, and what is on its way.
	perConnection = 128 << 10
	// perStranger is what one takes at most while nobody knows whose it is: that, and a header of HTTP/1 that is half there. The generic server reads
	// one of 1 MiB, into memory that grows by a quarter at a time.
	perStranger = perConnection + 5<<18
	// fewestConnections of API servers under the smallest limit, and mostConnections without one: an API server has one for all that it hands on.
	fewestConnections, mostConnections = 64, 2048
	// fewestStrangers and mostStrangersAtOnce likewise: the probes of a kubelet and Prometheus have a few, and each API server one for a moment.
	fewestStrangers, mostStrangersAtOnce = 32, 512
	// strangerLives is how long a connection lasts at most that no API server has shown to be its own: as long as the longest request may take,
	// which the generic server gives a minute. A probe needs it for milliseconds. Prometheus, and who else asks again over the same connection, is
	// told to come with another one after half of that, so that none of its requests is cut off.
	strangerLives = time.Minute
)

// connectionsFor a memory limit, of strangers and of API servers: a sixteenth of it for API servers and an eighth for strangers, of the quarter that
// the collector leaves to the kernel and to what nobody counts. 46 and 256 under that of the manifests.
func connectionsFor(limit int64) (strangers, apiServers int) {
	if limit == 0 {
		return mostStrangersAtOnce, mostConnections
	}
	return int(min(max(limit/8/perStranger, fewestStrangers), mostStrangersAtOnce)), int(min(max(limit/16/perConnection, fewestConnections), mostConnections))
}

// bounded is a listener that has so many connections at once, and lets every new one in. All are strangers' until a request has come with the
// proven certificate of an API server, and there are few of these: one more takes the place of the oldest of the address that has most of them. So
// a flood is in its own way, however many pods it comes from, and a probe, or an API server that has just come, is there for as long as many
// others take to come after it. The others are for API servers, whose connections nobody ends; what they have beyond that stays with the strangers.
type bounded struct {
	net.Listener
	mostStrangers, mostProven int
	lives                     time.Duration // of strangers

	mutex     sync.Mutex
	strangers *list.List     // of *connection, the oldest first
	from      map[string]int // of strangers, by address
	proven    int
}

func newBounded(l net.Listener, strangers, apiServers int) *bounded {
	return &bounded{Listener: l, mostStrangers: strangers, mostProven: apiServers, lives: strangerLives, strangers: list.New(), from: map[string]int{}}
}

// Accept a connection, in the place of another one where there is none left.
func (b *bounded) Accept() (net.Conn, error) {
	accepted, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: accepted, of: b, host: hostOf(accepted.RemoteAddr().String()), since: time.Now()}
	if out := b.enter(c); out != nil {
		metrics.Shed()
		_ = out.Close()
	}
	return c, nil
}

// enter with a stranger's, and tell which one has to go for it.
func (b *bounded) enter(c *connection) (out *connection) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	c.place = b.strangers.PushBack(c)
	b.from[c.host]++
	c.over = time.AfterFunc(b.lives, func() { _ = c.Close() })
	if b.strangers.Len() <= b.mostStrangers {
		return nil
	}
	most := 0
	for _, n := range b.from {
		most = max(most, n)
	}
	at := b.strangers.Front()
	for b.from[at.Value.(*connection).host] < most {
		at = at.Next()
	}
	out = at.Value.(*connection)
	b.forget(out)
	return out
}

// forget a stranger's, under the lock.
func (b *bounded) forget(c *connection) {
	b.strangers.Remove(c.place)
	c.place = nil
	c.over.Stop()
	if b.from[c.host]--; b.from[c.host] == 0 {
		delete(b.from, c.host)
	}
}

func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}
