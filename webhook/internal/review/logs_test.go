package review

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"k8s.io/klog/v2/textlogger"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
)

// TestLogLinesCannotBeForged checks that names from a client do not add log lines.
func TestLogLinesCannotBeForged(t *testing.T) {
	const forged = `x\nI1121 23:00:00.000000       1 run.go:86] \"FAKE\"\r\u001b[2J`
	named := strings.Replace(reviews.ClaimV1alpha2, `"name":"a"`, `"name":"`+forged+`","namespace":"`+forged+`"`, 1)
	notValidated := strings.Replace(reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null"), `"operation":"CREATE"`,
		`"operation":"`+forged+`","name":"`+forged+`","namespace":"`+forged+`"`, 1)
	calls := map[string]struct{ path, body string }{
		"an operation and a name": {"/validate", notValidated},
		"a name of what is not converted": {
			"/convert",
			reviews.Conversion("resource.k8s.io/v1alpha3", strings.Replace(named, `"gpu.example.com"`, `7`, 1)),
		},
		"a name of what is converted": {
			"/convert",
			reviews.Conversion("resource.k8s.io/v1alpha3",
				strings.Replace(named, `"spec":{`, `"spec":{"`+forged+`":1,`, 1)),
		},
		"a version": {
			"/convert",
			reviews.Conversion("resource.k8s.io/"+forged, reviews.ClaimV1alpha2),
		},
		"a group": {"/convert", reviews.Conversion(forged+"/v1alpha3", reviews.ClaimV1alpha2)},
		"a kind": {
			"/convert",
			reviews.Conversion("resource.k8s.io/v1alpha3",
				strings.Replace(reviews.ClaimV1alpha2, "ResourceClaim", forged, 1)),
		},
		"a group of a default": {
			"/default",
			strings.ReplaceAll(reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null"), "resource.k8s.io",
				forged),
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			var lines bytes.Buffer
			s := newServer(t, Options{
				Logger: textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&lines), textlogger.Verbosity(9))),
			})
			serve(s, reviews.NewRequest(call.path, call.body))
			said := lines.String()
			if strings.Count(said, "\n") != 1 || strings.Contains(said, "\x1b") || strings.Contains(said, "\r") {
				t.Errorf("logged %q", said)
			}
		})
	}
}

// A client that disconnects during a conversion is not logged as a failed conversion.
func TestDisconnectIsNotLoggedAsAFailure(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, Options{Logger: reviews.NewLogger(&log)})
	ctx, leave := context.WithCancel(t.Context())
	s.converter.convert = func(out, object []byte, _ string, _ conversion.Options) ([]byte, conversion.Report, error) {
		leave()
		return append(out, object...), conversion.Report{Group: "resource.k8s.io"}, nil
	}
	review := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2, reviews.ClaimV1alpha2)
	serve(s, reviews.NewRequest("/convert", review).WithContext(ctx))
	if ctx.Err() == nil || strings.Contains(log.String(), "Cannot convert") {
		t.Errorf("logged %s", log.String())
	}
}
