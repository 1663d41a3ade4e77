package main

import (
	"container/list"
	"net"
	"net/http"
	"time"
)

// connection is counted until it is closed.
type connection struct {
	net.Conn
	of    *bounded
	host  string
	since time.Time
	over  *time.Timer // ends it, as long as it is a stranger's

	// Under the lock of the listener; neither when it has ended.
	place    *list.Element // among strangers
	isProven bool
}

// connectionOf a request, which the address that it came to leads to; nil for one that came in another way.
func connectionOf(r *http.Request) *connection {
	if to, ok := r.Context().Value(http.LocalAddrContextKey).(localAddr); ok {
		return to.connection
	}
	return nil
}

// localAddr of a connection. An HTTP server gives requests that, and nothing else of their connection.
type localAddr struct {
	net.Addr
	connection *connection
}

// LocalAddr leads from a request to its connection.
func (c *connection) LocalAddr() net.Addr { return localAddr{c.Conn.LocalAddr(), c} }

// proven to be an API server's: it is no stranger's from now on, if there is a place for it.
func (c *connection) proven() {
	if c == nil {
		return
	}
	b := c.of
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if c.place == nil || b.proven >= b.mostProven {
		return
	}
	b.forget(c)
	b.proven++
	c.isProven = true
}

// isOld tells whether it is a stranger's, and nothing new may begin on it.
func (c *connection) isOld() bool {
	if c == nil || time.Since(c.since) < c.of.lives/2 {
		return false
	}
	c.of.mutex.Lock()
	defer c.of.mutex.Unlock()
	return c.place != nil
}

// Close makes room for another one.
func (c *connection) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

func (c *connection) leave() {
	b := c.of
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if c.place != nil {
		b.forget(c)
	}
	if c.isProven {
		b.proven--
		c.isProven = false
	}
}
