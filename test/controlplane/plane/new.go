package plane

import (
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

// FreePort of 127.0.0.1 that nobody listens on.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
