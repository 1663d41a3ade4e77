package webhook

import (
	"math"
	"net"
	"sync"

	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

const (
	// connectionMemory is what a connection takes at most before it has a request that is paid for: 44 KiB when it is
	// idle, 16 more for a header that is only half there, or for a handshake that was long (maxHandshake). A stream of HTTP/2 takes less: its goroutine, a header of 12 KiB and
	// the first 16 KiB of a body.
	connectionMemory = 64 << 10
	// mostConnections where no memory limit is set. An API server has at most 600 calls in progress
	// (--max-requests-inflight and --max-mutating-requests-inflight), so this is room for six of them at their worst.
	mostConnections = 4096
	// fewestConnections under the smallest memory limit: three API servers with the 25 idle connections that each keeps.
	fewestConnections = 128
)

// connectionsFor a memory limit: a quarter of it, 2,048 under that of the manifests.
func connectionsFor(memoryLimit int64) int {
	if memoryLimit == math.MaxInt64 {
		return mostConnections
	}
	return int(min(max(memoryLimit/4/connectionMemory, fewestConnections), mostConnections))
}

// metricsConnections beside them: a few Prometheus servers keep one each, and half of these are for one address. Their 4 MiB are
// of the part of the memory that nothing else is counted with.
const metricsConnections = 64

// bounded makes a listener that has as many connections as there are slots. One more than all waits in the kernel until
// another ends; one more from its address is closed.
func (s *Server) bounded(l net.Listener, by *slots) net.Listener {
	return &boundedListener{Listener: l, slots: by, metrics: s.metrics, closed: make(chan struct{})}
}

type boundedListener struct {
	net.Listener
	slots   *slots
	metrics *metrics.Metrics
	once    sync.Once
	closed  chan struct{}
}

// Accept a connection from an address that has not too many. It has a slot before, which no stream can take.
func (l *boundedListener) Accept() (net.Conn, error) {
	select {
	case l.slots.all <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	for {
		connection, err := l.Listener.Accept()
		if err != nil {
			<-l.slots.all
			return nil, err
		}
		source := sourceOf(connection.RemoteAddr().String())
		if l.slots.from.enter(source) {
			leave := sync.OnceFunc(func() { l.slots.give(source) })
			return &boundedConnection{Conn: connection, leave: leave}, nil
		}
		l.metrics.Shed(refusal.ShedConnections)
		_ = connection.Close()
	}
}

// Close ends waiting for a slot as well.
func (l *boundedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type boundedConnection struct {
	net.Conn
	leave func()
}

// Close makes room for another one.
func (c *boundedConnection) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
