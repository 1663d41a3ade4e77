package webhook

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/review"
)

// Server converts claims, validates them, and sets their defaults, for API servers. [New] returns one.
type Server struct {
	options Options
	tls     *tls.Config
	log     logr.Logger
	metrics *metrics.Metrics
	reviews *review.Handlers
	// connections is the number of open connections to the secure port.
	connections atomic.Int64

	converter, validator, defaulter, handler http.Handler

	ran      atomic.Bool
	draining atomic.Bool
	clients  atomic.Pointer[clientCA]
	// placeholder returns the certificate to serve while the source has none.
	placeholder func() (*tls.Certificate, error)

	// started is closed once the addresses are set.
	started                       chan struct{}
	addr, metricsAddr, healthAddr net.Addr
}

// New validates the options and returns a server that does not listen yet. An error names the option and the remedy.
func New(o Options) (*Server, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	releases, err := review.ReleasesOf(o.KubernetesRelease)
	if err != nil {
		return nil, err
	}
	config, err := o.tlsConfig()
	if err != nil {
		return nil, err
	}
	s := &Server{
		options:     o,
		tls:         config,
		log:         o.Logger,
		started:     make(chan struct{}),
		placeholder: sync.OnceValues(newPlaceholder),
	}
	s.metrics = metrics.New()
	s.metrics.Gauge("certificate_not_after_timestamp_seconds",
		"End of the validity of the serving certificate in seconds since 1970, or 0 if there is none.",
		s.certificateExpiry)
	s.metrics.Build(o.Version.GitVersion, o.Version.GitCommit, o.Version.GoVersion)
	s.reviews = review.New(review.Options{
		Groups:           o.Groups,
		Releases:         releases,
		KeepMetadata:     o.KeepMetadata,
		MaxRequestBytes:  o.MaxRequestBytes,
		MaxInFlightBytes: o.MaxInFlightBytes,
		Draining:         &s.draining, Metrics: s.metrics, Logger: s.log,
	})
	s.converter = s.guard("convert", s.checkClientCertificate(s.reviews.Converter))
	s.validator = s.guard("validate", s.requireClientCertificate(s.reviews.Validator))
	s.defaulter = s.guard("default", s.requireClientCertificate(s.reviews.Defaulter))
	s.handler = s.routes()
	return s, nil
}

// guard counts the requests of an endpoint. While the server is stopping, it asks clients to close the connection.
func (s *Server) guard(endpoint string, next http.Handler) http.Handler {
	return s.metrics.Instrument(endpoint, s.log, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.draining.Load() {
			// API servers keep connections open. With this header the next call goes to another replica.
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	}))
}

// Started is closed once Run listens. The source may have no certificate yet, see /readyz.
func (s *Server) Started() <-chan struct{} { return s.started }

// Addr returns the address of the secure port, or nil before [Server.Started] is closed.
func (s *Server) Addr() net.Addr { return s.ifStarted(&s.addr) }

// MetricsAddr returns the address of the metrics, or nil before [Server.Started] is closed and if there are none.
func (s *Server) MetricsAddr() net.Addr { return s.ifStarted(&s.metricsAddr) }

// HealthProbeAddr returns the address of the health probes, or nil before [Server.Started] is closed and if there is
// none.
func (s *Server) HealthProbeAddr() net.Addr { return s.ifStarted(&s.healthAddr) }

func (s *Server) ifStarted(addr *net.Addr) net.Addr {
	select {
	case <-s.started:
		return *addr
	default:
		return nil
	}
}

// Handler returns the handler of all endpoints of the secure port.
func (s *Server) Handler() http.Handler { return s.handler }

// Converter returns a handler of ConversionReviews, for any path.
func (s *Server) Converter() http.Handler { return s.converter }

// Validator returns a handler of AdmissionReviews for a validating webhook, for any path.
func (s *Server) Validator() http.Handler { return s.validator }

// Defaulter returns a handler of AdmissionReviews for a mutating webhook, for any path. It sets the defaults of
// Kubernetes that the schema of a CRD cannot express. The webhook needs a rule for CREATE and UPDATE of v1alpha3 and
// later, and matchPolicy Exact.
func (s *Server) Defaulter() http.Handler { return s.defaulter }

// Admission returns the validator without HTTP, for a controller-runtime webhook that combines several.
func (s *Server) Admission() admission.Handler { return s.reviews.Validation() }

// Collector returns the metrics of the server (claimbridge_*), for a registry of the embedding program. The metrics of
// Certificates are not among them.
func (s *Server) Collector() prometheus.Collector { return s.metrics }
