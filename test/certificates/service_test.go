//go:build e2e

package certificates

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// service plays a Service: it gives each new connection to a replica that is ready, and leaves a connection with its
// replica for as long as both want, also while that one is terminating.
type service struct {
	port int

	mutex    sync.Mutex
	replicas []string // addresses
	ready    []string
	turn     int
}

// probePeriod of readiness, and how late a Service hears that a replica is not ready any more.
const probePeriod = 100 * time.Millisecond

// shutdownDelay of replicas in these tests: while clients call without a pause, no client uses a connection that is
// idle for so long.
const shutdownDelay = 3 * time.Second

func newService(t *testing.T) *service {
	t.Helper()
	listener := must.Get(net.Listen("tcp", "localhost:0"))(t)
	t.Cleanup(func() { _ = listener.Close() })
	s := &service{port: listener.Addr().(*net.TCPAddr).Port}
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go s.probe(done)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(client)
		}
	}()
	return s
}

// add a replica. It gets connections when it is ready.
func (s *service) add(address string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.replicas = append(s.replicas, address)
}

// probe the replicas as a kubelet does.
func (s *service) probe(done <-chan struct{}) {
	kubelet := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true, //nolint:gosec // as a kubelet
	}}
	for {
		s.mutex.Lock()
		replicas := s.replicas
		s.mutex.Unlock()
		var ready []string
		for _, address := range replicas {
			response, err := kubelet.Get("https://" + address + "/readyz")
			if err != nil {
				continue
			}
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				ready = append(ready, address)
			}
		}
		s.mutex.Lock()
		s.ready = ready
		s.mutex.Unlock()
		select {
		case <-done:
			return
		case <-time.After(probePeriod):
		}
	}
}

func (s *service) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	s.mutex.Lock()
	var address string
	if len(s.ready) > 0 {
		s.turn++
		address = s.ready[s.turn%len(s.ready)]
	}
	s.mutex.Unlock()
	if address == "" {
		return
	}
	replica, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = replica.Close() }()
	done := make(chan struct{}, 2)
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		_ = to.(*net.TCPConn).CloseWrite()
		done <- struct{}{}
	}
	go pass(replica, client)
	go pass(client, replica)
	<-done
	<-done
}

// isReady is no error when a number of replicas are ready.
func (s *service) isReady(n int) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.ready) != n {
		return fmt.Errorf("%d replicas are ready", len(s.ready))
	}
	return nil
}
