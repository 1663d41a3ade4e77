package webhook

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/claimbridge/claimbridge/webhook/internal/metricsauth"
)

// newMetricsServer listens. On loopback it serves plain HTTP to any process of the machine. On other addresses it
// requires TLS, and the cluster authenticates clients (TokenReview) and authorizes them to get /metrics
// (SubjectAccessReview).
func (s *Server) newMetricsServer() (*auxiliaryServer, error) {
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
	if collector, ok := s.options.Certificates.(prometheus.Collector); ok {
		if err := registry.Register(collector); err != nil {
			return nil, fmt.Errorf("register the metrics of certificates: %w", err)
		}
	}
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxMetricsReaders})
	secure := !isLoopback(host)
	if secure {
		rules := clientcmd.NewDefaultClientConfigLoadingRules()
		rules.ExplicitPath = s.options.Kubeconfig
		cluster, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
		if err == nil {
			handler, err = metricsauth.New(cluster, s.log, handler)
		}
		if err != nil {
			return nil, fmt.Errorf("metrics on %s require a cluster that authorizes clients (set a kubeconfig, or "+
				"bind to 127.0.0.1, or to 0 for none): %w", address, err)
		}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on the metrics address: %w", err)
	}
	s.metricsAddr = listener.Addr()
	mux := http.NewServeMux()
	mux.Handle("/metrics", s.guard("metrics", handler))
	server := s.httpServer(mux)
	listener = limitConnections(listener, metricsConnections, s.log)
	if secure {
		// tls.NewListener offers no HTTP/2: a reader needs one request at a time, and streams would bypass all limits.
		listener = tls.NewListener(listener, server.TLSConfig)
	}
	return &auxiliaryServer{server, listener}, nil
}

const (
	// metricsConnections is the connection limit: a few Prometheus servers keep one each.
	metricsConnections = 64
	// maxMetricsReaders is the limit of concurrent requests: enough for two Prometheus servers and some users.
	maxMetricsReaders = 4
)

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
