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

	"github.com/claimbridge/claimbridge/webhook/authority"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/review"
)

// Server converts, validates and completes claims for API servers. Make one with [New].
type Server struct {
	options Options
	tls     *tls.Config
	log     logr.Logger
	metrics *metrics.Metrics
	reviews *review.Handlers
	// connections of the secure port that are open.
	connections atomic.Int64

	converter, validator, defaulter, handler http.Handler

	ran      atomic.Bool
	draining atomic.Bool
	source   atomic.Pointer[authority.Source]
	clients  atomic.Pointer[clientCA]
	// placeholder while there is no certificate.
	placeholder func() (*tls.Certificate, error)

	// started is closed when the addresses are set.
	started                       chan struct{}
	addr, metricsAddr, healthAddr net.Addr
}

// New checks the options and makes a server that does not listen yet. An error names the option and what to do.
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
		placeholder: sync.OnceValues(authority.Placeholder),
	}
	s.metrics = metrics.New()
	s.metrics.Gauge("certificate_not_after_timestamp_seconds",
		"End of the serving certificate in seconds since 1970, 0 when there is none.",
		s.certificateExpiry)
	s.metrics.Build(o.Version.GitVersion, o.Version.GitCommit, o.Version.GoVersion)
	s.reviews = review.New(review.Options{
		Groups:           o.Groups,
		Releases:         releases,
		KeepMetadata:     o.KeepMetadata,
		MaxBodyBytes:     o.MaxBodyBytes,
		MaxInFlightBytes: o.MaxInFlightBytes,
		Draining:         &s.draining, Metrics: s.metrics, Logger: s.log,
	})
	s.converter = s.guard("convert", s.admit(false, s.reviews.Converter))
	s.validator = s.guard("validate", s.admit(true, s.reviews.Validator))
	s.defaulter = s.guard("default", s.admit(true, s.reviews.Defaulter))
	s.handler = s.routes()
	return s, nil
}

// guard stands around every endpoint: it counts, and while the server stops asks callers to connect anew.
func (s *Server) guard(endpoint string, next http.Handler) http.Handler {
	return s.metrics.Around(endpoint, s.log, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.draining.Load() {
			// API servers keep connections for as long as they are let; with this one the next call goes elsewhere.
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	}))
}

// Started is closed once Run listens and has a certificate; one by a CA in a Secret may still be coming, see /readyz.
func (s *Server) Started() <-chan struct{} { return s.started }

// Addr of the secure port, nil before [Server.Started].
func (s *Server) Addr() net.Addr { return s.ifStarted(&s.addr) }

// MetricsAddr of the metrics port, nil before [Server.Started] and when metrics are not served.
func (s *Server) MetricsAddr() net.Addr { return s.ifStarted(&s.metricsAddr) }

// HealthProbeAddr is the address of the health probes, nil before [Server.Started] and when they have none.
func (s *Server) HealthProbeAddr() net.Addr { return s.ifStarted(&s.healthAddr) }

func (s *Server) ifStarted(addr *net.Addr) net.Addr {
	select {
	case <-s.started:
		return *addr
	default:
		return nil
	}
}

// Handler serves all endpoints of the secure port.
func (s *Server) Handler() http.Handler { return s.handler }

// Converter serves ConversionReviews, whatever the path.
func (s *Server) Converter() http.Handler { return s.converter }

// Validator serves AdmissionReviews, whatever the path.
func (s *Server) Validator() http.Handler { return s.validator }

// Defaulter serves AdmissionReviews of a mutating webhook, whatever the path: it sets the defaults that a
// schema cannot, as Kubernetes did. Send it creations and updates of v1alpha3 and later, with matchPolicy Exact.
func (s *Server) Defaulter() http.Handler { return s.defaulter }

// Admission is the judge without HTTP, for a controller-runtime webhook that combines several.
func (s *Server) Admission() admission.Handler { return s.reviews.Judge() }

// Collector of the server's own metrics (claimbridge_*), for a registry of the embedding program.
func (s *Server) Collector() prometheus.Collector { return s.metrics }
