package webhook

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/time/rate"

	"github.com/claimbridge/claimbridge/conversion"
)

// TestWhatCallersCauseDoesNotFillTheLog: each kind of line that any pod can cause is bounded, and tells what it left out.
func TestWhatCallersCauseDoesNotFillTheLog(t *testing.T) {
	good := conversionOf("resource.k8s.io/v1alpha3", claimV1alpha2)
	tests := map[string]struct {
		line string
		// causing gives what causes a line, and what limits it.
		causing func(s *Server, c *converter) (func(), *logLimit)
	}{
		"objects that cannot be converted": {"Cannot convert", func(s *Server, c *converter) (func(), *logLimit) {
			bad := conversionOf("resource.k8s.io/v1alpha3", `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","spec":7}`)
			return func() { serve(s, post("/convert", bad)) }, c.failures
		}},
		"a group that is not served": {"Cannot convert", func(s *Server, c *converter) (func(), *logLimit) {
			return func() { serve(s, post("/convert", conversionOf("example.com/v1alpha3", claimV1alpha2))) }, c.failures
		}},
		"handshakes": {"TLS handshake error", func(s *Server, _ *converter) (func(), *logLimit) {
			lines := s.errorLog()
			return func() { lines.Print("http: TLS handshake error from 10.0.0.1:1: EOF") }, lines.Writer().(*handshakes).lines
		}},
		"panics": {"Caught a panic", func(s *Server, c *converter) (func(), *logLimit) {
			c.convert = func([]byte, []byte, string, conversion.Options) ([]byte, conversion.Report, error) { panic("x") }
			c.failures.limiter.SetLimit(rate.Inf)
			return func() { serve(s, post("/convert", good)) }, s.metrics.stacks
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := newServer(t, Options{Logger: logTo(&log)})
			c := &converter{
				groups: s.options.Groups, metrics: s.metrics, log: s.log, failures: newLogLimit(), convert: conversion.Append,
				budget: newBudget(1<<30, &s.draining),
			}
			s.handler = s.guard("convert", &door{s.options.MaxBodyBytes, c.budget, newSlots(10), s.metrics, c.answer})
			cause, limit := test.causing(s, c)
			limit.limiter.SetLimit(0) // no line comes with time
			const calls = linesAtOnce + 30
			for range calls {
				cause()
			}
			if got := strings.Count(log.String(), test.line); got != linesAtOnce {
				t.Errorf("%d lines, want %d", got, linesAtOnce)
			}
			limit.limiter.SetLimit(rate.Inf)
			cause()
			if got := log.String(); !strings.Contains(got[strings.LastIndex(got, test.line):], `"omitted"=30`) {
				t.Errorf("the next line does not tell what was left out: %.300s", got[strings.LastIndex(got, test.line):])
			}
		})
	}
}
