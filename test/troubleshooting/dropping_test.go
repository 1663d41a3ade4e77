//go:build e2e

package troubleshooting

import (
	"fmt"
	"net"
	"syscall"
	"testing"
)

// dropping is a port whose packets are dropped, as a firewall does: its backlog is full.
func dropping(t *testing.T) (port string) {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(socket) })
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(socket, 0); err != nil {
		t.Fatal(err)
	}
	address, err := syscall.Getsockname(socket)
	if err != nil {
		t.Fatal(err)
	}
	port = fmt.Sprint(address.(*syscall.SockaddrInet4).Port)
	first, err := net.Dial("tcp", "127.0.0.1:"+port) // a backlog of 0 has room for one
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = first.Close() })
	return port
}
