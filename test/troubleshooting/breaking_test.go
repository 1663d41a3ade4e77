//go:build e2e

package troubleshooting

import (
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"testing"
	"time"
)

// breaking is a way to an API server on which connections break off when something is sent on them: those that were made before a file was
// written, for as long as it is there. New ones hold.
func breaking(t *testing.T, host, file string) (way string) {
	t.Helper()
	to, err := url.Parse(host)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go pass(client, to.Host, file)
		}
	}()
	return "https://" + listener.Addr().String()
}

func pass(client net.Conn, to, file string) {
	defer client.Close()
	made := time.Now()
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	}()
	_, _ = io.Copy(writer(func(data []byte) (int, error) {
		if info, err := os.Stat(file); err == nil && made.Before(info.ModTime()) {
			return 0, errors.New("broken off")
		}
		return server.Write(data)
	}), client)
}

type writer func([]byte) (int, error)

func (w writer) Write(data []byte) (int, error) { return w(data) }
