package plane

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// New is [Start] for a test, which it fails where that fails, until the test's end.
func New(t testing.TB, o Options) *Plane {
	t.Helper()
	p, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Administrator is a user who may do all there is, by the token "admin".
var Administrator = User{Name: "admin", Groups: []string{"system:masters"}}

// Port is [FreePort] for a test.
func Port(t testing.TB) int {
	t.Helper()
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// FreePort of 127.0.0.1 that nobody listens on. It is none that the kernel gives to those who ask for any, so that nobody gets it before who
// asked for it listens on it, and no NodePort.
func FreePort() (port int, err error) {
	for range 100 {
		port = 20_000 + rand.IntN(10_000)
		var listener net.Listener
		if listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, listener.Close()
		}
	}
	return 0, err
}
