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

// service simulates a Service. It assigns each new connection to a replica that is ready. The connection stays with its
// replica until one side closes it, also while the replica terminates.
type service struct {
	port int

	mutex    sync.Mutex
	replicas []string // addresses
	ready    []string
	next     int
}

// probePeriod is the period of readiness probes. It is also the time until a Service sees that a replica is not ready
// any more.
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

// add adds a replica. It gets connections when it is ready.
func (s *service) add(address string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.replicas = append(s.replicas, address)
}

// probe checks the readiness of replicas as the kubelet does.
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
		s.next++
		address = s.ready[s.next%len(s.ready)]
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
	forward := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		_ = to.(*net.TCPConn).CloseWrite()
		done <- struct{}{}
	}
	go forward(replica, client)
	go forward(client, replica)
	<-done
	<-done
}

// checkReady returns an error unless exactly n replicas are ready.
func (s *service) checkReady(n int) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.ready) != n {
		return fmt.Errorf("%d replicas are ready, want %d", len(s.ready), n)
	}
	return nil
}
