// Package review answers the reviews that API servers send: ConversionReviews, and AdmissionReviews of validating and
// mutating webhooks.
//
// The trip of a request: its header and its time (handler.go), its body as memory allows (call.go,
// memory.go), the review around the objects (reader.go, conversionreview.go, admission.go), each
// object (convert.go, judge.go, defaulter.go), the answer (answer.go). Nothing that a caller sent
// is ever logged beyond group, version, kind, namespace, name and the path of a field, and nothing
// that a caller chose becomes a label of a metric.
package review

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

// CallTimeout is the longest that an API server waits for a webhook: the 30 s of its REST client, which no
// configuration extends.
const CallTimeout = 30 * time.Second

// Options of the handlers.
type Options struct {
	Groups Groups
	// Releases whose rules are asked, by version; the default of a version that is not there.
	Releases     Releases
	KeepMetadata bool
	// MaxBodyBytes of a request, and MaxInFlightBytes of memory for all of them.
	MaxBodyBytes, MaxInFlightBytes int64
	// Draining says that the server is stopping: nobody waits any more.
	Draining *atomic.Bool
	Metrics  *metrics.Metrics
	Logger   logr.Logger
}

// Handlers of reviews, which share their memory.
type Handlers struct {
	Converter, Validator, Defaulter http.Handler

	convert *converter
	judge   *judge
}

// New handlers.
func New(o Options) *Handlers {
	memory := newMemory(o.MaxInFlightBytes, o.Draining)
	convert := &converter{Options: o, convert: conversion.Append, failures: loglimit.New()}
	judge := &judge{Options: o, verdict: validation.Judge, denials: loglimit.New()}
	early := *judge
	early.Metrics = metrics.New()
	complete := &defaulter{Options: o, early: &early, refusals: loglimit.New()}
	o.Metrics.Gauge("http_request_bytes_in_flight", "Bytes of memory that requests in flight are counted with.",
		func() float64 { return float64(memory.inUse.Load()) })
	o.Metrics.Gauge("http_request_bytes_in_flight_limit", "Bytes that requests in flight may be counted with.",
		func() float64 { return float64(memory.size) })
	over := func(serve func(http.ResponseWriter, *call) error) http.Handler {
		return &handler{o, memory, serve}
	}
	return &Handlers{
		Converter: over(convert.serve),
		Validator: over((&admitter{judge}).serve),
		Defaulter: over((&admitter{complete}).serve),
		convert:   convert, judge: judge,
	}
}

// Judge of writes, without HTTP.
func (h *Handlers) Judge() admission.Handler { return h.judge }
