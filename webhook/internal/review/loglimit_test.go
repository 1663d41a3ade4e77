package review

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
)

// TestClientsCannotFillTheLog checks that each kind of line that a pod can cause is limited, and has the number of
// omitted lines.
func TestClientsCannotFillTheLog(t *testing.T) {
	valid := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	write := func(s *server, path, object string) func() {
		return func() { serve(s, reviews.NewRequest(path, reviews.Admission("CREATE", "", object, "null"))) }
	}
	tests := map[string]struct {
		line string
		// setUp returns a function that causes a line, and the limiter of the line.
		setUp func(s *server) (func(), *loglimit.Limiter)
	}{
		"objects that cannot be converted": {"Cannot convert", func(s *server) (func(), *loglimit.Limiter) {
			invalid := reviews.Conversion("resource.k8s.io/v1alpha3",
				`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","spec":7}`)
			return func() { serve(s, reviews.NewRequest("/convert", invalid)) }, s.converter.failures
		}},
		"a group that is not served": {"Cannot convert", func(s *server) (func(), *loglimit.Limiter) {
			return func() {
				serve(s, reviews.NewRequest("/convert", reviews.Conversion("example.com/v1alpha3", reviews.ClaimV1alpha2)))
			}, s.converter.failures
		}},
		"writes that are denied": {"Denied", func(s *server) (func(), *loglimit.Limiter) {
			s.validator.validate = func(context.Context, validation.Request) (validation.Result, error) {
				return validation.Result{
					Errors: []validation.Error{{Rule: "r", Error: field.Required(field.NewPath("spec"), "")}},
				}, nil
			}
			return write(s, "/validate", reviews.ClaimV1alpha2), s.validator.denials
		}},
		"writes that cannot be validated": {"Cannot validate", func(s *server) (func(), *loglimit.Limiter) {
			return write(s, "/validate", "null"), s.validator.denials
		}},
		"panics": {"Caught a panic", func(s *server) (func(), *loglimit.Limiter) {
			s.converter.convert = func([]byte, []byte, string, conversion.Options) ([]byte, conversion.Report, error) {
				panic("x")
			}
			s.converter.failures.SetLimit(rate.Inf)
			return func() { serve(s, reviews.NewRequest("/convert", valid)) }, s.options.Metrics.Stacks
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := newServer(t, Options{Logger: reviews.NewLogger(&log)})
			cause, limiter := test.setUp(s)
			limiter.SetLimit(0) // time does not allow more lines
			const calls = loglimit.Burst + 30
			for range calls {
				cause()
			}
			if got := strings.Count(log.String(), test.line); got != loglimit.Burst {
				t.Errorf("%d lines, want %d", got, loglimit.Burst)
			}
			limiter.SetLimit(rate.Inf)
			cause()
			if got := log.String(); !strings.Contains(got[strings.LastIndex(got, test.line):], `"omitted"=30`) {
				t.Errorf("the next line does not have the number of omitted lines: %.300s",
					got[strings.LastIndex(got, test.line):])
			}
		})
	}
}
