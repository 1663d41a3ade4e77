package webhook

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/claimbridge/claimbridge/webhook/authority"
	"github.com/claimbridge/claimbridge/webhook/internal/metricsauth"
)

// newMetricsServer listens. On loopback it is for everybody on the machine; elsewhere it takes TLS, and the cluster
// says who a reader is (TokenReview) and whether they may get the path /metrics (SubjectAccessReview).
func (s *Server) newMetricsServer(ofCertificates []prometheus.Collector) (*auxiliaryServer, error) {
	address := s.options.MetricsBindAddress
	if address == "0" {
		return nil, nil
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("metrics address %q: must be host:port, or 0 for none: %w", address, err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(s.metrics, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, c := range ofCertificates {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("register a collector of metrics: %w", err)
		}
	}
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxMetricsReaders})
	secure := !isLoopback(host)
	if secure {
		cluster, err := authority.ClusterOf(s.options.Kubeconfig)
		if err == nil {
			handler, err = metricsauth.New(cluster, s.log, handler)
		}
		if err != nil {
			return nil, fmt.Errorf("metrics on %s can be read from other machines, so a cluster has to say by whom "+
				"(give a kubeconfig, or bind them to 127.0.0.1, or to 0 for none): %w", address, err)
		}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for readers of metrics: %w", err)
	}
	s.metricsAddr = listener.Addr()
	mux := http.NewServeMux()
	mux.Handle("/metrics", s.guard("metrics", handler))
	server := s.httpServer(mux)
	listener = limitConnections(listener, metricsConnections, s.log)
	if secure { // which offers no HTTP/2: a reader needs one request at a time, and streams would be beside all bounds
		listener = tls.NewListener(listener, server.TLSConfig)
	}
	return &auxiliaryServer{server, listener}, nil
}

const (
	// metricsConnections of readers: a few Prometheus servers keep one each.
	metricsConnections = 64
	// maxMetricsReaders at once: two Prometheus servers and somebody with curl.
	maxMetricsReaders = 4
)

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
