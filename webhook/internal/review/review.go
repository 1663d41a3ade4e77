// Package review responds to the reviews that API servers send: ConversionReviews, and AdmissionReviews of validating
// and mutating webhooks.
//
// The steps of a request are: HTTP and deadline (handler.go), the body within its limits (body.go, memory.go), and the
// review itself (convert.go, or admission.go with validator.go or defaulter.go). Of a client's data, only group,
// version, kind, namespace, name and the paths of fields are logged. No value is a label of a metric.
package review

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

// CallTimeout is the longest time that an API server waits for a webhook: the 30 s of its REST client, which no
// configuration extends.
const CallTimeout = 30 * time.Second

// Options are the options of the handlers.
type Options struct {
	Groups Groups
	// Releases are the releases whose rules apply, by version. A version that is not in the map has its default
	// release.
	Releases     Releases
	KeepMetadata bool
	// MaxRequestBytes is the limit of one body, MaxInFlightBytes that of the memory for all requests.
	MaxRequestBytes, MaxInFlightBytes int64
	// Draining is true while the server is stopping. Then no request waits for memory.
	Draining *atomic.Bool
	Metrics  *metrics.Metrics
	Logger   logr.Logger
}

// Handlers are the handlers of reviews. They share a memory limit.
type Handlers struct {
	Converter, Validator, Defaulter http.Handler

	converter *converter
	validator *validator
}

// New returns the handlers.
func New(o Options) *Handlers {
	memory := newMemory(o.MaxInFlightBytes, o.Draining)
	converter := &converter{Options: o, convert: conversion.AppendConverted, failures: loglimit.New()}
	validator := &validator{Options: o, validate: validation.Validate, denials: loglimit.New()}
	validatorWithoutMetrics := *validator
	validatorWithoutMetrics.Metrics = metrics.New()
	defaulter := &defaulter{Options: o, validator: &validatorWithoutMetrics, rejections: loglimit.New()}
	o.Metrics.Gauge("http_request_bytes_in_flight", "Bytes of memory that are reserved for requests in flight.",
		func() float64 { return float64(memory.inUse()) })
	o.Metrics.Gauge("http_request_bytes_in_flight_limit", "Limit of the memory that is reserved for requests in flight.",
		func() float64 { return float64(memory.size()) })
	return &Handlers{
		Converter: &handler{o, memory, converter.review},
		Validator: &handler{o, memory, (&admissionReviewer{validator}).review},
		Defaulter: &handler{o, memory, (&admissionReviewer{defaulter}).review},
		converter: converter, validator: validator,
	}
}

// Validation returns the validator without HTTP.
func (h *Handlers) Validation() admission.Handler { return h.validator }
