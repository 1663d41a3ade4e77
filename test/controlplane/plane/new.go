package plane

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// New starts a control plane for a test, and stops it when the test ends.
func New(t testing.TB, o Options) *Plane {
	t.Helper()
	p := must.Get(Start(o))(t)
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Administrator is a member of system:masters, with the token "admin".
var Administrator = User{Name: "admin", Groups: []string{"system:masters"}}

// Port returns a free port of 127.0.0.1. It is not an ephemeral port or a NodePort, and is returned only once in a
// process. Another process that calls Port at the same time may get the same port.
func Port(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := 20_000 + rand.IntN(10_000)
		if _, used := usedPorts.LoadOrStore(port, true); used {
			continue
		}
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil && listener.Close() == nil {
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// usedPorts are the ports that Port has returned.
var usedPorts sync.Map
