package webhook

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/claimbridge/claimbridge/webhook/internal/review"
)

const (
	// idleTimeout of a connection between two requests, and of one that has not brought the first
	// one yet, is longer than the 90 s after which API servers close idle connections themselves: a
	// server that closes first can meet a call on its way, which is then lost, because a POST is
	// not sent again. See [Options.ShutdownIdleTimeout].
	idleTimeout = 2 * time.Minute
	// headerTimeout counts from the end of the handshake where a connection brings its first
	// request, so it is no shorter.
	headerTimeout = idleTimeout
	// readTimeout for header and body; that of a review's body is shorter, and begins with it.
	readTimeout = headerTimeout + review.CallTimeout
	// writeTimeout from the end of the header: the same again for the work and the answer. Handshakes have as long.
	writeTimeout = 2 * review.CallTimeout
	// maxHeader: API servers send some hundred bytes at once; a bearer token with many claims is
	// below 12 KiB. Go reads 4 KiB more than its limit.
	maxHeader = 12 << 10
	// maxStreams of one HTTP/2 connection: all connections together have no more than there is
	// memory for. HTTP/2 is offered because that is what API servers speak to localhost; who needs
	// more streams makes another connection.
	maxStreams = 8
	// lookForConnections again, while the server stops.
	lookForConnections = 50 * time.Millisecond
	// receiveBuffer is the receive window of an HTTP/2 connection and of a stream: bytes that arrive before a handler
	// reads them aren't counted as memory in flight. This is the initial window of the protocol. Go's default is 1 MiB.
	receiveBuffer = 64 << 10
)

// Run listens and serves until ctx is done, then finishes what it accepted, see
// [Options.ShutdownDelay], [Options.ShutdownIdleTimeout] and [Options.ShutdownTimeout]. It returns
// nil after an orderly stop. A server runs once.
func (s *Server) Run(ctx context.Context) error {
	if !s.ran.CompareAndSwap(false, true) {
		return errors.New("a server can run only once: create a new one")
	}
	if s.options.Certificates == nil {
		return errors.New("a certificate is required: set the option Certificates, for example to an open " +
			"certs.InMemory")
	}
	listener, err := net.Listen("tcp",
		net.JoinHostPort(s.options.BindAddress, strconv.Itoa(max(s.options.SecurePort, 0))))
	if err != nil {
		return fmt.Errorf("listen on the secure port: %w", err)
	}
	defer func() { _ = listener.Close() }()
	clients, err := newClientCA(s.options)
	if err != nil {
		return err
	}
	s.clients.Store(clients)
	readers, err := s.newMetricsServer()
	if err != nil {
		return err
	}
	probes, err := s.newHealthServer()
	if err != nil {
		readers.close()
		return err
	}

	// Certificates, metrics, probes and requests in flight live on while the server stops.
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	server := s.httpServer(s.handler)
	server.ConnState = s.countConnections
	var background sync.WaitGroup
	defer func() {
		stop()
		_ = server.Close()
		readers.close()
		probes.close()
		background.Wait()
	}()
	background.Go(func() { keepCertificates(serving, s.options.Certificates, s.log) })
	if clients != nil {
		server.TLSConfig.ClientAuth = tls.RequestClientCert
		background.Go(func() { clients.keep(serving, s.log) })
	}

	failed := make(chan error, 3)
	limited := limitConnections(listener, s.options.MaxConnections, s.log)
	background.Go(func() { failed <- server.ServeTLS(limited, "", "") })
	for _, auxiliary := range []*auxiliaryServer{readers, probes} {
		if auxiliary != nil {
			background.Go(func() { failed <- auxiliary.Serve(auxiliary.listener) })
		}
	}
	s.addr = listener.Addr()
	close(s.started)
	s.log.Info("Serving", "address", s.addr, "metrics", addrText(s.metricsAddr), "healthProbes", addrText(s.healthAddr),
		"groups", s.options.Groups, "kubernetesRelease", cmp.Or(s.options.KubernetesRelease, "of each version"),
		"maxBodyBytes", s.options.MaxBodyBytes, "maxInFlightBytes", s.options.MaxInFlightBytes)

	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
		return s.drain(server)
	}
}

func (s *Server) httpServer(handler http.Handler) *http.Server {
	config := s.tls.Clone()
	config.GetCertificate = s.certificateOrPlaceholder
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(!s.options.DisableHTTP2)
	return &http.Server{
		Handler:           handler,
		TLSConfig:         config,
		Protocols:         &protocols,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ConnState:         trackConnState,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReceiveBufferPerConnection: receiveBuffer,
			MaxReceiveBufferPerStream:     receiveBuffer,
		},
		// What the server itself has to say is about connections: failed handshakes above all.
		ErrorLog: s.errorLog(),
	}
}

// countConnections that are open, and track their states.
func (s *Server) countConnections(conn net.Conn, state http.ConnState) {
	trackConnState(conn, state)
	switch state {
	case http.StateNew:
		s.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.connections.Add(-1)
	}
}

// drain lets /readyz fail and goes on serving for the delay, and then for as long as callers keep
// connections, but not longer than idle ones may last. Then it closes the port and waits for the
// requests in flight.
func (s *Server) drain(server *http.Server) error {
	s.draining.Store(true)
	s.log.Info("Stopping", "delay", s.options.ShutdownDelay, "idleTimeout", s.options.ShutdownIdleTimeout,
		"timeout", s.options.ShutdownTimeout)
	time.Sleep(s.options.ShutdownDelay)
	for end := time.Now().Add(s.options.ShutdownIdleTimeout); time.Now().Before(end) && s.connections.Load() > 0; {
		time.Sleep(min(time.Until(end), lookForConnections))
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.options.ShutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return fmt.Errorf("requests were still in flight after %s: %w", s.options.ShutdownTimeout, err)
	}
	s.log.Info("Stopped")
	return nil
}

func addrText(addr net.Addr) string {
	if addr == nil {
		return "none"
	}
	return addr.String()
}
