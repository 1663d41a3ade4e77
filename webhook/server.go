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

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook/authority"
)

// Server converts, validates and completes claims for API servers. Make one with [New].
type Server struct {
	options Options
	tls     *tls.Config
	log     logr.Logger
	metrics *metrics
	judge   *judge
	// slots for connections of the secure port and what is on them.
	slots *slots

	converter, validator, defaulter, handler http.Handler

	ran      atomic.Bool
	draining atomic.Bool
	source   atomic.Pointer[certificateSource]
	clients  atomic.Pointer[clientCA]
	// placeholder while there is no certificate.
	placeholder func() (*tls.Certificate, error)

	// started is closed when the addresses are set.
	started           chan struct{}
	addr, metricsAddr net.Addr
}

// New checks the options and makes a server that does not listen yet. An error names the option and what to do.
func New(o Options) (*Server, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	config, err := o.tlsConfig()
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: o, tls: config, log: o.Logger, started: make(chan struct{}), placeholder: sync.OnceValues(authority.Placeholder),
	}
	budget := newBudget(o.MaxInFlightBytes, &s.draining)
	s.slots = newSlots(o.MaxConnections)
	s.metrics = newMetrics(s.measurements(budget)...)
	s.judge = &judge{groups: o.Groups, metrics: s.metrics, log: s.log, verdict: validation.Judge, denials: newLogLimit()}
	convert := &converter{
		groups: o.Groups, keepMetadata: o.KeepMetadata, metrics: s.metrics, log: s.log, convert: conversion.Append, budget: budget,
		failures: newLogLimit(),
	}
	validate := &admitter{s.judge, budget}
	complete := &admitter{&defaulter{groups: o.Groups, metrics: s.metrics, log: s.log, refusals: newLogLimit()}, budget}
	guarded := func(endpoint string, identified bool, answer answerer) http.Handler {
		return s.guard(endpoint, s.admit(identified, &door{o.MaxBodyBytes, budget, s.slots, s.metrics, answer}))
	}
	s.converter = guarded("convert", false, convert.answer)
	s.validator = guarded("validate", true, validate.answer)
	s.defaulter = guarded("default", true, complete.answer)
	s.handler = s.routes()
	return s, nil
}

// measurements are metrics that are looked up when they are read.
func (s *Server) measurements(b *budget) []prometheus.Collector {
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, value)
	}
	return []prometheus.Collector{
		gauge("http_request_bytes_in_flight", "Bytes that requests in flight are counted with: their bodies, what is made of them, and their answers.",
			func() float64 { return float64(b.inUse.Load()) }),
		gauge("http_request_bytes_in_flight_limit", "Bytes that requests in flight may be counted with.",
			func() float64 { return float64(b.total()) }),
		gauge("certificate_not_after_timestamp_seconds", "End of the serving certificate in seconds since 1970, 0 when there is none.",
			s.certificateExpiry),
	}
}

// Started is closed once Run listens and has a certificate; one by a CA in a Secret may still be coming, see /readyz.
func (s *Server) Started() <-chan struct{} { return s.started }

// Addr of the secure port, nil before [Server.Started].
func (s *Server) Addr() net.Addr { return s.ifStarted(&s.addr) }

// MetricsAddr of the metrics port, nil before [Server.Started] and when metrics are not served.
func (s *Server) MetricsAddr() net.Addr { return s.ifStarted(&s.metricsAddr) }

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

// Defaulter serves AdmissionReviews of a mutating webhook, whatever the path: it sets the defaults of v1alpha3 that the
// schema cannot, as Kubernetes 1.31 did. Send it creations and updates of v1alpha3 only, with matchPolicy Exact.
func (s *Server) Defaulter() http.Handler { return s.defaulter }

// Admission is the judge without HTTP, for a controller-runtime webhook that combines several.
func (s *Server) Admission() admission.Handler { return s.judge }

// Collector of the server's own metrics (claimbridge_*), for a registry of the embedding program.
func (s *Server) Collector() prometheus.Collector { return s.metrics }
