package webhook

import (
	"math"
	"net"
	"sync"

	"golang.org/x/net/netutil"
)

const (
	// connectionMemory is what a connection takes at most before it has a request that is paid for: 44 KiB when it is
	// idle, 16 more for a header that is only half there.
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

// bounded makes a listener that has so many connections at most, and half of them from one address: no pod can take them all
// away from API servers. One more than all waits in the kernel until another ends; one more from its address is closed.
func (s *Server) bounded(l net.Listener) net.Listener {
	return &sourceListener{netutil.LimitListener(l, s.options.MaxConnections), newSources(s.options.MaxConnections / 2), s.metrics}
}

type sourceListener struct {
	net.Listener
	sources *sources
	metrics *metrics
}

// Accept a connection from an address that has not too many.
func (l *sourceListener) Accept() (net.Conn, error) {
	for {
		connection, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		source := sourceOf(connection.RemoteAddr().String())
		if l.sources.enter(source) {
			return &sourceConnection{Conn: connection, leave: sync.OnceFunc(func() { l.sources.leave(source) })}, nil
		}
		l.metrics.shed.WithLabelValues(shedConnections).Inc()
		_ = connection.Close()
	}
}

type sourceConnection struct {
	net.Conn
	leave func()
}

// Close makes room for another one.
func (c *sourceConnection) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// sources count what there is from each address.
type sources struct {
	each  int
	mutex sync.Mutex
	count map[string]int
}

func newSources(each int) *sources { return &sources{each: each, count: map[string]int{}} }

func (s *sources) enter(source string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.count[source] >= s.each {
		return false
	}
	s.count[source]++
	return true
}

func (s *sources) leave(source string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.count[source]--; s.count[source] <= 0 {
		delete(s.count, source)
	}
}

func sourceOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}
