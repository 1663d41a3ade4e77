package webhook

import (
	"net"
	"sync/atomic"
	"time"
)

// patient makes a listener of a TLS server whose connections may wait for their first request.
func patient(l net.Listener) net.Listener { return patientListener{l} }

type patientListener struct{ net.Listener }

// Accept a connection on which nothing has been asked for.
func (l patientListener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &untilRequested{Conn: connection}, nil
}

// untilRequested is a connection on which nobody has asked for anything yet. It is idle, as one between two requests is, and may be so for
// as long: API servers dial when all of their connections are busy, take the first that is free, and keep the other for later, unused.
//
// net/http counts the time of the first header, and of the first request, from the end of the handshake. An unused connection would be
// closed after headerTimeout, and a call that is on its way in that moment is lost. Here both count from the first byte. (Those of a later
// request count from its fourth.)
//
// net/http sets read deadlines in this order, and reads, all in one goroutine: one for the handshake, none, one for the header, one for the
// request. With HTTP/2 there are the first two. What comes later, from other goroutines too, changes nothing here.
type untilRequested struct {
	net.Conn
	stage atomic.Int32
	// records of the handshake that are being read.
	records records
	// began is when the first byte came.
	began time.Time
}

// Stages of a connection until its first request is read.
const (
	shaking   int32 = iota // hands
	shaken                 // and no time is set for what comes
	unused                 // for idleTimeout
	requested              // the header is coming
	usual                  // as net/http has it
)

// SetReadDeadline as net/http wants it, but for the first request later by as long as there was none.
func (c *untilRequested) SetReadDeadline(t time.Time) error {
	switch stage := c.stage.Load(); {
	case stage == shaking && t.IsZero():
		c.stage.Store(shaken)
	case stage == shaken && !t.IsZero():
		c.stage.Store(unused)
		t = time.Now().Add(idleTimeout)
	case stage == requested:
		c.stage.Store(usual)
		t = c.began.Add(readTimeout)
	}
	return c.Conn.SetReadDeadline(t)
}

// Read what comes. With the first byte after the handshake a header has begun.
func (c *untilRequested) Read(b []byte) (int, error) {
	switch c.stage.Load() {
	case shaking:
		return c.records.read(c.Conn, b)
	case unused:
		n, err := c.Conn.Read(b)
		if n > 0 {
			c.began = time.Now()
			c.stage.Store(requested)
			_ = c.Conn.SetReadDeadline(c.began.Add(headerTimeout)) // fails when it is closed, as what comes next does
		}
		return n, err
	default:
		return c.Conn.Read(b)
	}
}
