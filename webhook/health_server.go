package webhook

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

const (
	// probeConnections is the connection limit. A kubelet has one connection for each of three probes. The limit is
	// higher, so that connections of other clients cannot evict a kubelet's connection before it gets its response.
	probeConnections = 256
	// probeTimeout is the time for a whole request. A kubelet sends its request immediately, and waits for at most 5 s.
	probeTimeout = 5 * time.Second
	// maxProbeHeader in bytes is the limit of the request header. A kubelet sends some 100 bytes.
	maxProbeHeader = 4 << 10
)

// auxiliaryServer listens on another address than the secure port. It is nil if its address is disabled.
type auxiliaryServer struct {
	*http.Server
	listener net.Listener
}

func (a *auxiliaryServer) close() {
	if a != nil {
		_ = errors.Join(a.Close(), a.listener.Close())
	}
}

// newHealthServer listens for the probes of a kubelet. No number of connections to the secure port or to this address
// blocks a probe: a new connection replaces the oldest one, and each serves one request.
func (s *Server) newHealthServer() (*auxiliaryServer, error) {
	address := s.options.HealthProbeBindAddress
	if address == "" || address == "0" {
		return nil, nil
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("health probe address %q: must be host:port, or 0 for none: %w", address, err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for health probes: %w", err)
	}
	s.healthAddr = listener.Addr()
	mux := http.NewServeMux()
	mux.Handle("/", s.guard("other", http.NotFoundHandler()))
	s.addHealthRoutes(mux)
	server := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: probeTimeout,
		ReadTimeout:       probeTimeout,
		WriteTimeout:      probeTimeout,
		MaxHeaderBytes:    maxProbeHeader,
		ErrorLog:          s.errorLog(),
	}
	server.SetKeepAlivesEnabled(false)
	return &auxiliaryServer{server, limitShortConnections(listener, probeConnections, s.log)}, nil
}
