package webhook

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
)

const (
	// firstRequestGrace is how long a connection may take for its handshake and its first request when the connection
	// limit is reached. It limits the time of recovery: with 1,024 connections, a full accept queue (4,096 on Linux) of
	// silent connections is processed in 4 s.
	firstRequestGrace = time.Second
	// idleGrace is how long a connection may be idle between two requests when the connection limit is reached.
	idleGrace = time.Second
	// activeGrace is how long a request may last when the connection limit is reached and no other connection can be
	// closed. It is shorter than the 10 s within which a server must recover from an attack, and longer than a normal
	// call takes.
	activeGrace = 8 * time.Second
)

// connectionLimiter is a listener that limits open connections. Unlike netutil.LimitListener, which lets new
// connections wait until an old one ends, it closes a connection when the limit is reached, if possible one that is not
// used: silent connections must not block other clients for as long as the server's timeouts allow.
type connectionLimiter struct {
	net.Listener
	limit int
	log   logr.Logger
	lines *loglimit.Limiter
	// order has the states whose connections are closed at the limit, each with its grace period.
	order []stateGrace

	mutex sync.Mutex
	open  map[*limitedConn]struct{}
	// freed receives a value when a connection is closed.
	freed chan struct{}
	// closed is closed with the listener.
	closed    chan struct{}
	closeOnce sync.Once
}

// stateGrace is a state, and how long a connection may be in it before it is closed at the limit.
type stateGrace struct {
	state http.ConnState
	grace time.Duration
}

// limitConnections limits the connections of a listener whose http.Server reports states to [trackConnState]. At the
// limit it closes, in this order, the oldest connection that has not completed its first request, the one that has
// been idle longest, and the one with the longest request, each only after its grace period.
func limitConnections(listener net.Listener, limit int, log logr.Logger) *connectionLimiter {
	return newConnectionLimiter(listener, limit, log, []stateGrace{
		{http.StateNew, firstRequestGrace}, {http.StateIdle, idleGrace}, {http.StateActive, activeGrace},
	})
}

// limitShortConnections limits the connections of a listener for requests that take milliseconds. At the limit it
// immediately closes the oldest connection in any state, so that a new connection never waits.
func limitShortConnections(listener net.Listener, limit int, log logr.Logger) *connectionLimiter {
	// Without [trackConnState] each connection stays in StateNew.
	return newConnectionLimiter(listener, limit, log, []stateGrace{{http.StateNew, 0}})
}

func newConnectionLimiter(listener net.Listener, limit int, log logr.Logger, order []stateGrace) *connectionLimiter {
	return &connectionLimiter{
		Listener: listener, limit: limit, log: log, lines: loglimit.New(), order: order,
		open: map[*limitedConn]struct{}{}, freed: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

// Accept returns the next connection. At the limit, it first waits until a connection is closed.
func (l *connectionLimiter) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	conn := &limitedConn{Conn: accepted, limiter: l, state: http.StateNew, since: time.Now()}
	for !l.add(conn) {
		if victim := l.connectionToClose(); victim != nil {
			l.evict(victim)
			continue
		}
		select {
		case <-l.freed:
		case <-time.After(connectionPollInterval):
		case <-l.closed:
			_ = accepted.Close()
			return nil, net.ErrClosed
		}
	}
	return conn, nil
}

// Close closes the listener. Connections stay open.
func (l *connectionLimiter) Close() error {
	l.closeOnce.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// add counts a connection. It returns false at the limit.
func (l *connectionLimiter) add(conn *limitedConn) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.open) >= l.limit {
		return false
	}
	conn.since = time.Now() // the time in Accept does not count: the client could not use the connection
	l.open[conn] = struct{}{}
	return true
}

// connectionToClose returns the connection to close for a new one, or nil if each is within its grace period.
func (l *connectionLimiter) connectionToClose() *limitedConn {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := time.Now()
	for _, candidate := range l.order {
		var oldest *limitedConn
		for conn := range l.open {
			if conn.state == candidate.state && (oldest == nil || conn.since.Before(oldest.since)) {
				oldest = conn
			}
		}
		if oldest != nil && now.Sub(oldest.since) >= candidate.grace {
			return oldest
		}
	}
	return nil
}

// evict closes a connection with a reset, so that the kernel keeps no data for a peer that has vanished.
func (l *connectionLimiter) evict(conn *limitedConn) {
	if omitted, ok := l.lines.AllowLine(); ok {
		l.log.Info("Closing a connection: the connection limit is reached",
			"remote", conn.RemoteAddr().String(), "limit", l.limit, "omitted", omitted)
	}
	if tcp, ok := conn.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// limitedConn is a connection that counts against the limit until it is closed.
type limitedConn struct {
	net.Conn
	limiter *connectionLimiter
	// state, and since when; the limiter's mutex guards both.
	state http.ConnState
	since time.Time
}

// Close closes the connection, so that another one can be accepted.
func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.limiter.mutex.Lock()
	delete(c.limiter.open, c)
	c.limiter.mutex.Unlock()
	select {
	case c.limiter.freed <- struct{}{}:
	default:
	}
	return err
}

// trackConnState is a function for http.Server.ConnState. It reports the state of a connection to the limiter.
func trackConnState(conn net.Conn, state http.ConnState) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	limited, ok := conn.(*limitedConn)
	if !ok {
		return
	}
	limited.limiter.mutex.Lock()
	defer limited.limiter.mutex.Unlock()
	if limited.state != state {
		limited.state, limited.since = state, time.Now()
	}
}
