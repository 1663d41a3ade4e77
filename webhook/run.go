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
	// idleTimeout is the limit for a connection between two requests, and before the first one. It is longer than the
	// 90 s after which API servers close idle connections. A server that closes a connection first can lose a call that
	// the client is sending, because a POST is not retried. See [Options.ShutdownIdleTimeout].
	idleTimeout = 2 * time.Minute
	// headerTimeout starts with the handshake for the first request of a connection, so it is not shorter than
	// idleTimeout.
	headerTimeout = idleTimeout
	// readTimeout is the time for header and body. The body of a review has a shorter timeout.
	readTimeout = headerTimeout + review.CallTimeout
	// writeTimeout is the time from the end of the header to the end of the response. Handshakes have the same timeout.
	writeTimeout = 2 * review.CallTimeout
	// maxHeader in bytes is the limit of a request header. API servers send some hundred bytes. A bearer token with
	// many claims has less than 12 KiB. Go reads 4 KiB more than its limit.
	maxHeader = 12 << 10
	// maxStreams is the limit for streams of one HTTP/2 connection, so that the memory is enough for all connections.
	// HTTP/2 is offered because API servers use it to localhost. A client that needs more streams opens another
	// connection.
	maxStreams = 8
	// connectionPollInterval is the interval at which a stopping server counts its connections, and at which Accept
	// looks for a connection to close at the limit.
	connectionPollInterval = 50 * time.Millisecond
	// receiveBuffer is the receive window of an HTTP/2 connection and of a stream: bytes that arrive before a handler
	// reads them aren't counted as memory in flight. This is the initial window of the protocol. Go's default is 1 MiB.
	receiveBuffer = 64 << 10
)

// Run listens and serves until ctx is done, and then finishes the requests in flight: see [Options.ShutdownDelay],
// [Options.ShutdownIdleTimeout] and [Options.ShutdownTimeout]. It returns nil after an orderly stop. A server can run
// only once.
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
	metricsServer, err := s.newMetricsServer()
	if err != nil {
		return err
	}
	healthServer, err := s.newHealthServer()
	if err != nil {
		metricsServer.close()
		return err
	}

	// Certificates, metrics, probes and requests in flight continue while the server stops.
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	server := s.httpServer(s.handler)
	server.ConnState = s.countConnections
	var background sync.WaitGroup
	defer func() {
		stop()
		_ = server.Close()
		metricsServer.close()
		healthServer.close()
		background.Wait()
	}()
	background.Go(func() { runCertificateSource(serving, s.options.Certificates, s.log) })
	if clients != nil {
		server.TLSConfig.ClientAuth = tls.RequestClientCert
		background.Go(func() { clients.pollFile(serving, s.log) })
	}

	failed := make(chan error, 3)
	limited := limitConnections(listener, s.options.MaxConnections, s.log)
	background.Go(func() { failed <- server.ServeTLS(limited, "", "") })
	for _, auxiliary := range []*auxiliaryServer{metricsServer, healthServer} {
		if auxiliary != nil {
			background.Go(func() { failed <- auxiliary.Serve(auxiliary.listener) })
		}
	}
	s.addr = listener.Addr()
	close(s.started)
	s.log.Info("Serving", "address", s.addr, "metrics", addrText(s.metricsAddr), "healthProbes", addrText(s.healthAddr),
		"groups", s.options.Groups, "kubernetesRelease", cmp.Or(s.options.KubernetesRelease, "of each version"),
		"maxBodyBytes", s.options.MaxRequestBytes, "maxInFlightBytes", s.options.MaxInFlightBytes)

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
		// The HTTP server logs only problems of connections, mostly failed handshakes.
		ErrorLog: s.errorLog(),
	}
}

// countConnections counts open connections, and tracks their states.
func (s *Server) countConnections(conn net.Conn, state http.ConnState) {
	trackConnState(conn, state)
	switch state {
	case http.StateNew:
		s.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.connections.Add(-1)
	}
}

// drain makes /readyz fail and continues to serve for the delay, and then until clients have closed their connections,
// but at most for the idle timeout. Then it closes the port and waits for the requests in flight.
func (s *Server) drain(server *http.Server) error {
	s.draining.Store(true)
	s.log.Info("Stopping", "delay", s.options.ShutdownDelay, "idleTimeout", s.options.ShutdownIdleTimeout,
		"timeout", s.options.ShutdownTimeout)
	time.Sleep(s.options.ShutdownDelay)
	for end := time.Now().Add(s.options.ShutdownIdleTimeout); time.Now().Before(end) && s.connections.Load() > 0; {
		time.Sleep(min(time.Until(end), connectionPollInterval))
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
