package webhook

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

const (
	// probeConnections at once. A kubelet has one for each of three probes; the rest keeps a kubelet's connection alive
	// until it is answered while others open theirs.
	probeConnections = 256
	// probeTimeout for a whole request. A kubelet's arrives in one piece, and it waits for 5 s at most.
	probeTimeout = 5 * time.Second
	// maxProbeHeader in bytes: a kubelet sends some 100.
	maxProbeHeader = 4 << 10
)

// auxiliaryServer listens on another address than the secure port. It is nil when its address is switched off.
type auxiliaryServer struct {
	*http.Server
	listener net.Listener
}

func (a *auxiliaryServer) close() {
	if a != nil {
		_ = errors.Join(a.Close(), a.listener.Close())
	}
}

// newHealthServer listens for the probes of a kubelet. Neither connections to the secure port nor those to this one can
// keep a probe from its answer: a new connection replaces the oldest one, and each serves one request.
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
