//go:build e2e

package troubleshooting

import (
	"fmt"
	"net"
	"syscall"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// dropping is a port whose packets are dropped, as a firewall does: its backlog is full.
func dropping(t *testing.T) (port string) {
	t.Helper()
	socket := must.Get(syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0))(t)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	must.Do(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	must.Do(t, syscall.Listen(socket, 0))
	address := must.Get(syscall.Getsockname(socket))(t)
	port = fmt.Sprint(address.(*syscall.SockaddrInet4).Port)
	first := must.Get(net.Dial("tcp", "127.0.0.1:"+port))(t) // a backlog of 0 has room for one
	t.Cleanup(func() { _ = first.Close() })
	return port
}
