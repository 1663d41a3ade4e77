package main

import (
	"errors"
	"net"
	"testing"
	"time"
)

// Strangers have a number of connections of their own. Each new one is let in: the oldest of the address with most of them goes for it, and those of API
// servers stay.
func TestConnectionsAreBounded(t *testing.T) {
	l := listening(t, 4)
	api := l.accept("10.0.0.1")
	api.proven()
	node := l.accept("10.0.0.2")
	var flood []*connection
	for range 4 {
		flood = append(flood, l.accept("10.0.0.3"), l.accept("10.0.0.4"))
	}
	if got := l.open(flood...); got != 3 {
		t.Errorf("a flood of two addresses has %d connections beside one", got)
	}
	if l.open(api, node) != 2 {
		t.Error("an API server or a probe went for a flood")
	}
	probe := l.accept("10.0.0.5")
	later := l.accept("10.0.0.3") // the oldest of those who have one each are before the probe, and so is who has two
	another := l.accept("10.0.0.6")
	if l.open(probe, another) != 2 || l.strangers.Len() != 4 {
		t.Errorf("a probe does not get in, or too many do: %d", l.strangers.Len())
	}
	if l.open(api) != 1 {
		t.Error("an API server went for a flood")
	}
	for _, c := range append(flood, api, node, probe, later, another) {
		_ = c.Close()
		_ = c.Close() // counts once
	}
	if l.strangers.Len() != 0 || len(l.from) != 0 || l.proven != 0 {
		t.Errorf("not all is given back: %d strangers, %v, %d of API servers", l.strangers.Len(), l.from, l.proven)
	}
}

// What API servers have beyond their number is with the strangers, so that all together are never more than there may be.
func TestConnectionsOfAPIServersAreBoundedToo(t *testing.T) {
	l := listening(t, 2)
	for range 6 {
		c := l.accept("10.0.0.1")
		c.proven()
		c.proven() // each request shows it again
	}
	if l.proven != 2 || l.strangers.Len() != 2 {
		t.Errorf("%d of API servers, %d of strangers", l.proven, l.strangers.Len())
	}
}

// A connection that nobody has shown to be an API server's gives its place back by itself, whatever is asked over it.
func TestAStrangersConnectionEnds(t *testing.T) {
	l := listening(t, 4)
	l.lives = 5 * time.Second // to be proven in, on a busy machine
	api := l.accept("10.0.0.1")
	api.proven()
	l.lives = 50 * time.Millisecond
	stranger := l.accept("10.0.0.2")
	if api.isOld() || (*connection)(nil).isOld() {
		t.Error("the connection of an API server is to be closed")
	}
	for deadline := time.Now().Add(20 * time.Second); l.open(stranger) == 1; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it is still there")
		}
	}
	if api.over.Stop() || l.open(api) != 1 {
		t.Error("that of an API server has ended too, or will")
	}
}

func TestAnOldStrangerMayBeginNothing(t *testing.T) {
	l := listening(t, 4)
	stranger := l.accept("10.0.0.2")
	if stranger.isOld() {
		t.Error("it is new")
	}
	stranger.since = stranger.since.Add(-strangerLives / 2)
	if !stranger.isOld() {
		t.Error("it may begin something that is cut off")
	}
	stranger.proven()
	if stranger.isOld() {
		t.Error("that of an API server is to be closed")
	}
}

// fake is a bounded listener that is called from any address.
type fake struct {
	*bounded
	t     *testing.T
	calls chan net.Conn
}

func listening(t *testing.T, most int) *fake {
	calls := make(chan net.Conn, 1)
	return &fake{newBounded(called{calls: calls}, most, most), t, calls}
}

func (f *fake) accept(from string) *connection {
	f.t.Helper()
	ours, theirs := net.Pipe()
	f.t.Cleanup(func() { _ = theirs.Close() })
	f.calls <- addressed{ours, &net.TCPAddr{IP: net.ParseIP(from), Port: 1}}
	c, err := f.Accept()
	if err != nil {
		f.t.Fatal(err)
	}
	return c.(*connection)
}

// open ones of these.
func (f *fake) open(all ...*connection) (n int) {
	for _, c := range all {
		f.t.Helper()
		_ = c.SetReadDeadline(time.Now().Add(-time.Second))
		if _, err := c.Read(make([]byte, 1)); isTimeout(err) {
			n++
		}
	}
	return n
}

type called struct {
	net.Listener
	calls chan net.Conn
}

func (l called) Accept() (net.Conn, error) { return <-l.calls, nil }

type addressed struct {
	net.Conn
	from net.Addr
}

func (a addressed) RemoteAddr() net.Addr { return a.from }

func isTimeout(err error) bool {
	timeout, is := errors.AsType[net.Error](err)
	return is && timeout.Timeout()
}
