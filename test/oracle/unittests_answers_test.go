//go:build oracle

package oracle

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/validation/cel"
	"github.com/claimbridge/claimbridge/webhook"
)

// answers the questions of test/upstream/ask with claimbridge, by the rules of a release.
func answers(t *testing.T, release string) http.Handler {
	t.Helper()
	defaulter := must.Get(webhook.New(webhook.Options{}))(t).Defaulter()
	mux := http.NewServeMux()
	handle := func(path string, reply func(ctx context.Context, version string, question []byte) (any, error)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, request *http.Request) {
			question, err := io.ReadAll(request.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			a, err := reply(request.Context(), request.URL.Query().Get("version"), question)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			if err := json.NewEncoder(w).Encode(a); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	}
	handle("/validate", func(ctx context.Context, _ string, question []byte) (any, error) {
		return validate(ctx, question, release)
	})
	handle("/expression", func(ctx context.Context, _ string, question []byte) (any, error) {
		return compileExpression(ctx, question, release)
	})
	handle("/default", func(_ context.Context, _ string, object []byte) (any, error) {
		return setDefaults(defaulter, object)
	})
	handle("/convert", func(_ context.Context, version string, object []byte) (any, error) {
		converted, _, err := conversion.ConvertJSON(object, version, conversion.Options{Strict: true, Manifest: true})
		return json.RawMessage(converted), err
	})
	return mux
}

// validate a write.
func validate(ctx context.Context, question []byte, release string) (a answer, err error) {
	write, err := readQuestion(question)
	if err != nil {
		return a, err
	}
	write.Release = release
	result, err := validation.Validate(ctx, write)
	if err != nil {
		a.Undecodable = err.Error()
	}
	for _, e := range result.Errors {
		a.Errors = append(a.Errors, problem{string(e.Type), e.Field, e.Rule + ": " + e.Detail})
	}
	return a, nil
}

// compiled is the result of compiling an expression: a problem, or a cost.
type compiled struct {
	Problem string `json:"problem,omitempty"`
	Cost    uint64 `json:"cost"`
}

// compileExpression compiles the expression of a selector or a derived attribute. A cost above the limit is not a
// problem, because the compiler of Kubernetes does not apply the limit.
func compileExpression(ctx context.Context, question []byte, release string) (c compiled, err error) {
	var q struct {
		Expression  string
		IsAttribute bool
	}
	if err := json.Unmarshal(question, &q); err != nil {
		return c, err
	}
	minor, err := strconv.Atoi(strings.TrimPrefix(release, "1."))
	if err != nil {
		return c, err
	}
	checker := cel.NewChecker(ctx)
	check := checker.CheckSelector
	if q.IsAttribute {
		check = checker.CheckDerivedAttribute
	}
	problem := check(q.Expression, minor)
	if problem.Type != "" && !problem.ExceedsCost {
		c.Problem = problem.Detail
	}
	c.Cost = problem.Cost
	return c, checker.Err()
}

// setDefaults of an object in JSON. From v1alpha3 on, the defaulting webhook does. The schemas of older versions have
// the defaults, which are also those of package api.
func setDefaults(defaulter http.Handler, object []byte) (any, error) {
	header, err := conversion.ReadHeader(object)
	if err != nil {
		return nil, err
	}
	version, _ := api.Find(header.Version)
	if !version.Devices {
		typed := api.New(header.Version, header.Kind)
		if err := json.Unmarshal(object, typed); err != nil {
			return nil, err
		}
		version.SetDefaults(typed)
		return typed, nil
	}
	question := reviews.AdmissionIn(header.Version, "CREATE", "", string(object), "null")
	reply := reviews.Serve(defaulter, reviews.NewRequest("/default", question))
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal([]byte(reply.Body), &review); err != nil {
		return nil, err
	}
	if review.Response == nil || !review.Response.Allowed {
		return nil, errors.New(reply.Body)
	}
	if review.Response.Patch == nil {
		return json.RawMessage(object), nil
	}
	patch, err := jsonpatch.DecodePatch(review.Response.Patch)
	if err != nil {
		return nil, err
	}
	complete, err := patch.Apply(object)
	return json.RawMessage(complete), err
}
