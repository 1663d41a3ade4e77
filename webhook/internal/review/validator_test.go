package review

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/validation"
)

func TestValidate(t *testing.T) {
	const claim = reviews.ClaimV1alpha2
	create := reviews.Admission("CREATE", "", claim, "null")
	tests := map[string]struct {
		body    string
		denied  bool
		code    int32 // default: 400
		message string
	}{
		"a create":        {body: create},
		"an update":       {body: reviews.Admission("UPDATE", "", claim, claim)},
		"a status update": {body: reviews.Admission("UPDATE", "status", claim, claim)},
		"a delete":        {body: reviews.Admission("DELETE", "", "null", claim)},
		"a delete of a pod": {
			body: strings.ReplaceAll(reviews.Admission("DELETE", "", "null", "null"), "esourceClaim", "Pod"),
		},
		"a changed spec": {
			body: reviews.Admission("UPDATE", "", strings.Replace(claim, "gpu.example.com", "other.example.com", 1),
				claim),
			denied: true,
			code:   http.StatusUnprocessableEntity, message: `ResourceClaim.resource.k8s.io "a" is invalid: spec: `,
		},
		"a write of something else": {
			body:   strings.NewReplacer("ResourceClaim", "Pod", "resourceclaims", "pods").Replace(create),
			denied: true, message: `resource "pods" of kind "Pod" is not supported`,
		},
		"a kind under another resource": {
			body:    strings.Replace(create, `"resourceclaims"`, `"resourceclaimtemplates"`, 1),
			denied:  true,
			message: "not supported",
		},
		"an unknown version": {
			body:   strings.Replace(create, `"version":"v1alpha2","kind"`, `"version":"v9","kind"`, 1),
			denied: true, message: `version "v9" is not supported`,
		},
		"a group that is not served": {
			body:   strings.Replace(create, `"group":"resource.k8s.io"`, `"group":"claims.example.com"`, 1),
			denied: true, message: `API group "claims.example.com" is not served`,
		},
		"another subresource": {
			body:    reviews.Admission("UPDATE", "scale", claim, claim),
			denied:  true,
			message: `subresource "scale" is not supported`,
		},
		"another operation": {
			body:    reviews.Admission("CONNECT", "", claim, "null"),
			denied:  true,
			message: `operation "CONNECT"`,
		},
		"a create without an object":       {body: reviews.Admission("CREATE", "", "null", "null"), denied: true},
		"an update without the old object": {body: reviews.Admission("UPDATE", "", claim, "null"), denied: true},
		"an object that is text":           {body: reviews.Admission("CREATE", "", `"claim"`, "null"), denied: true},
		"an empty request": {
			body:    `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"the-uid"}}`,
			denied:  true,
			message: "not supported",
		},
	}
	reasons := map[int32]metav1.StatusReason{
		http.StatusBadRequest:          metav1.StatusReasonBadRequest,
		http.StatusUnprocessableEntity: metav1.StatusReasonInvalid,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.code = cmp.Or(test.code, http.StatusBadRequest)
			for _, version := range []string{"v1", "v1beta1"} {
				body := strings.Replace(test.body, "admission.k8s.io/v1", "admission.k8s.io/"+version, 1)
				review := reviews.DecodeAdmission(t, serve(newServer(t, Options{}), reviews.NewRequest("/validate", body)))
				want := (metav1.TypeMeta{Kind: "AdmissionReview", APIVersion: "admission.k8s.io/" + version})
				if review.TypeMeta != want {
					t.Errorf("the answer is a %v, want %v", review.TypeMeta, want)
				}
				response := review.Response
				if response.UID != "the-uid" || response.Allowed == test.denied {
					t.Fatalf("uid %q, allowed %v: %+v", response.UID, response.Allowed, response.Result)
				}
				got := response.Result
				if test.denied && (got.Status != metav1.StatusFailure || got.Code != test.code ||
					got.Reason != reasons[test.code] ||
					!strings.Contains(got.Message, test.message)) {
					t.Errorf("got %+v, want %d %q", got, test.code, test.message)
				}
			}
		})
	}
}

// withResult returns a server whose rules have the same result for every write.
func withResult(t *testing.T, o Options, result validation.Result, err error) *server {
	s := newServer(t, o)
	s.validator.validate = func(context.Context, validation.Request) (validation.Result, error) { return result, err }
	return s
}

func TestDenialsMatchTheAPIServer(t *testing.T) {
	var log bytes.Buffer
	s := withResult(t, Options{Logger: reviews.NewLogger(&log)}, validation.Result{Errors: []validation.Error{
		{Rule: "spec-immutable", Error: field.Invalid(field.NewPath("spec"), "top-secret", "field is immutable")},
		{Rule: "reserved-for-size", Error: field.TooMany(field.NewPath("status", "reservedFor"), 33, 32)},
		{Rule: "spec-immutable", Error: field.Required(field.NewPath("spec", "resourceClassName"), "")},
	}}, nil)
	response := reviews.DecodeAdmission(t,
		serve(s,
			reviews.NewRequest("/validate",
				reviews.Admission("UPDATE", "", reviews.ClaimV1alpha2, reviews.ClaimV1alpha2)))).Response
	want := &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Message: `ResourceClaim.resource.k8s.io "a" is invalid: [spec: Invalid value: "top-secret": field is ` +
			`immutable, ` +
			`status.reservedFor: Too many: 33: must have at most 32 items, spec.resourceClassName: Required value] ` +
			`(rules spec-immutable, reserved-for-size)`,
		Details: &metav1.StatusDetails{
			Name: "a", Group: "resource.k8s.io", Kind: "ResourceClaim",
			Causes: []metav1.StatusCause{
				{
					Type:    metav1.CauseTypeFieldValueInvalid,
					Message: `Invalid value: "top-secret": field is immutable (rule spec-immutable)`,
					Field:   "spec",
				},
				{
					Type:    metav1.CauseTypeTooMany,
					Message: `Too many: 33: must have at most 32 items (rule reserved-for-size)`,
					Field:   "status.reservedFor",
				},
				{
					Type:    metav1.CauseTypeFieldValueRequired,
					Message: `Required value (rule spec-immutable)`,
					Field:   "spec.resourceClassName",
				},
			},
		},
	}
	if diff := gocmp.Diff(want, response.Result); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	counts(t, s, map[string]float64{
		"admission_denials_total{rule=spec-immutable}":                                1,
		"admission_denials_total{rule=reserved-for-size}":                             1,
		"admission_verdicts_total{operation=UPDATE,verdict=denied,version=v1alpha2}":  1,
		"admission_verdicts_total{operation=UPDATE,verdict=allowed,version=v1alpha2}": 0,
	})
	got := log.String()
	if !strings.Contains(got, "rule spec-immutable") || !strings.Contains(got, "status.reservedFor") ||
		strings.Contains(got, "top-secret") {
		t.Errorf("the log should name rules and places and no values:\n%s", got)
	}
}

func TestDenialsTakeTheNameFromTheObject(t *testing.T) {
	result := validation.Result{
		Errors: []validation.Error{{Rule: "r", Error: field.Required(field.NewPath("spec"), "")}},
	}
	tests := map[string]struct{ metadata, want string }{
		"a name":            {`{"name":"x"}`, "x"},
		"the start of one":  {`{"generateName":"y-"}`, "y-"},
		"nothing of a name": {`{}`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":` + test.metadata +
				`}`
			body := strings.Replace(reviews.Admission("CREATE", "", object, "null"), `"name":"a",`, "", 1)
			response := reviews.DecodeAdmission(t,
				serve(withResult(t, Options{}, result, nil), reviews.NewRequest("/validate", body))).Response
			if got := response.Result.Details.Name; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestLongDenialsAreTruncated(t *testing.T) {
	result := validation.Result{}
	for i := range maxListedErrors + 7 {
		result.Errors = append(result.Errors, validation.Error{
			Rule:  "r",
			Error: field.Required(field.NewPath("spec").Index(i), ""),
		})
	}
	response := reviews.DecodeAdmission(t,
		serve(withResult(t, Options{}, result, nil),
			reviews.NewRequest("/validate", reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null")))).Response
	if got := len(response.Result.Details.Causes); got != maxListedErrors {
		t.Errorf("%d causes", got)
	}
	if !strings.HasSuffix(response.Result.Message, "and 7 more errors (rule r)") {
		t.Errorf("message ends with %q", response.Result.Message[len(response.Result.Message)-60:])
	}
}

func TestWarningsReachTheClient(t *testing.T) {
	want := []string{"a", strings.Repeat("ü", 128)}
	s := withResult(t, Options{}, validation.Result{Warnings: want}, nil)
	response := reviews.DecodeAdmission(t,
		serve(s, reviews.NewRequest("/validate", reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null")))).Response
	if diff := gocmp.Diff(want, response.Warnings); diff != "" || !response.Allowed {
		t.Errorf("allowed %v, warnings (-want +got):\n%s", response.Allowed, diff)
	}
}

// TestResultsHaveTheDeadlineOfTheCall checks what stops the validation.
func TestResultsHaveTheDeadlineOfTheCall(t *testing.T) {
	s := newServer(t, Options{})
	var until time.Time
	s.validator.validate = func(ctx context.Context, _ validation.Request) (validation.Result, error) {
		until, _ = ctx.Deadline()
		return validation.Result{}, nil
	}
	before := time.Now()
	serve(s, reviews.NewRequest("/validate?timeout=7s", reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null")))
	if until.Before(before) || until.After(time.Now().Add(7*time.Second)) {
		t.Errorf("the deadline is %v after the call", until.Sub(before))
	}
}

// A denial would mean that the object is invalid. Instead, the API server retries, and then applies its failurePolicy.
func TestLateResultsAreIgnored(t *testing.T) {
	for name, result := range map[string]func(context.Context) (validation.Result, error){
		"validation stopped": func(ctx context.Context) (validation.Result, error) {
			return validation.Result{}, ctx.Err()
		},
		"allowed": func(context.Context) (validation.Result, error) { return validation.Result{}, nil },
		"denied": func(context.Context) (validation.Result, error) {
			return validation.Result{
				Errors: []validation.Error{{Rule: "r", Error: field.Required(field.NewPath("spec"), "")}},
			}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := newServer(t, Options{Logger: reviews.NewLogger(&log)})
			s.validator.validate = func(ctx context.Context, _ validation.Request) (validation.Result, error) {
				<-ctx.Done()
				return result(ctx)
			}
			response := serve(s,
				reviews.NewRequest("/validate?timeout=50ms", reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null")))
			if response.Code != http.StatusServiceUnavailable || response.Header.Get("Retry-After") != "1" {
				t.Errorf("%d, Retry-After %q: %s", response.Code, response.Header.Get("Retry-After"), response.Body)
			}
			for metric, value := range gather(t, s) {
				if strings.HasPrefix(metric, "claimbridge_admission_") && value != 0 {
					t.Errorf("%s is %v", metric, value)
				}
			}
			counts(t, s, map[string]float64{"http_requests_shed_total{reason=deadline}": 1})
			if strings.Contains(log.String(), "Cannot validate") || strings.Contains(log.String(), "Denied") {
				t.Errorf("logged: %s", log.String())
			}
		})
	}
}

// TestWritesAreRetriedWhenTheCompilerIsBusy checks that the response is an HTTP error, which an API server retries, and
// not a denial.
func TestWritesAreRetriedWhenTheCompilerIsBusy(t *testing.T) {
	s := newServer(t, Options{})
	s.validator.validate = func(context.Context, validation.Request) (validation.Result, error) {
		return validation.Result{}, fmt.Errorf("as stored: %w", validation.ErrBusy)
	}
	response := serve(s, reviews.NewRequest("/validate", reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null")))
	if response.Code != http.StatusTooManyRequests || response.Header.Get("Retry-After") != "1" {
		t.Errorf("%d, Retry-After %q: %s", response.Code, response.Header.Get("Retry-After"), response.Body)
	}
	counts(t, s, map[string]float64{"http_requests_shed_total{reason=expressions}": 1})
}
