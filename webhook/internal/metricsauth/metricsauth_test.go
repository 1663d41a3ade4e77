package metricsauth

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	gocmp "github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// reviews is a cluster that has one user, Prometheus, who can read metrics.
type reviews struct {
	tokens, access int64
	// fail can respond with an error instead. It gets the number of earlier requests.
	fail func(w http.ResponseWriter, resource string, before int64) bool
	// lastSpec is the spec of the last SubjectAccessReview.
	lastSpec authorizationv1.SubjectAccessReviewSpec
	// status of access. Default: allowed.
	status authorizationv1.SubjectAccessReviewStatus
}

var prometheusUser = authenticationv1.UserInfo{
	Username: "system:serviceaccount:monitoring:prometheus", UID: "1", Groups: []string{"system:serviceaccounts"},
	Extra: map[string]authenticationv1.ExtraValue{"authentication.kubernetes.io/pod-name": {"prometheus-0"}},
}

func (c *reviews) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resource := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	counter := map[string]*int64{"tokenreviews": &c.tokens, "subjectaccessreviews": &c.access}[resource]
	*counter++
	if c.fail != nil && c.fail(w, resource, *counter-1) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if resource == "tokenreviews" {
		review := authenticationv1.TokenReview{
			Status: authenticationv1.TokenReviewStatus{Error: "invalid bearer token"},
		}
		if json.NewDecoder(r.Body).Decode(&review) == nil && review.Kind == "TokenReview" &&
			review.Spec.Token == "right" {
			review.Status = authenticationv1.TokenReviewStatus{Authenticated: true, User: prometheusUser}
		}
		_ = json.NewEncoder(w).Encode(review)
		return
	}
	var review authorizationv1.SubjectAccessReview
	if json.NewDecoder(r.Body).Decode(&review) == nil && review.Kind == "SubjectAccessReview" {
		c.lastSpec, review.Status = review.Spec, c.status
	}
	_ = json.NewEncoder(w).Encode(review)
}

// RoundTrip responds without a network, so that the fake clock of a test works.
func (c *reviews) RoundTrip(r *http.Request) (*http.Response, error) {
	response := httptest.NewRecorder()
	c.ServeHTTP(response, r)
	return response.Result(), nil
}

// readers requests the metrics with a token, without a network.
func readers(t *testing.T, c *reviews) (read func(ctx context.Context, method, token string) int) {
	t.Helper()
	if c.status == (authorizationv1.SubjectAccessReviewStatus{}) {
		c.status.Allowed = true
	}
	handler := must.Get(New(&rest.Config{Transport: c}, logr.Discard(), http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request,
	) {
		w.WriteHeader(http.StatusNoContent)
	})))(t)
	return func(ctx context.Context, method, token string) int {
		request := httptest.NewRequestWithContext(ctx, method, "/metrics", nil)
		request.Header.Set("Authorization", "Bearer "+token)
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, request)
		return response.Code
	}
}

func TestSubjectAccessReviewIdentifiesTheClient(t *testing.T) {
	c := &reviews{}
	if code := readers(t, c)(t.Context(), http.MethodGet, "right"); code != http.StatusNoContent {
		t.Fatalf("got %d", code)
	}
	want := authorizationv1.SubjectAccessReviewSpec{
		User: prometheusUser.Username, UID: "1", Groups: []string{"system:serviceaccounts", "system:authenticated"},
		Extra: map[string]authorizationv1.ExtraValue{
			"authentication.kubernetes.io/pod-name": {"prometheus-0"},
		},
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: "/metrics", Verb: "get"},
	}
	if diff := gocmp.Diff(want, c.lastSpec); diff != "" {
		t.Error(diff)
	}
}

// TestAuthorizationOfMetricsClients checks that results are cached for a while. If the cluster does not respond, the
// request is retried and then rejected.
func TestAuthorizationOfMetricsClients(t *testing.T) {
	failing := func(resource string, code int, times int64) func(http.ResponseWriter, string, int64) bool {
		return func(w http.ResponseWriter, requested string, before int64) bool {
			if requested != resource || before >= times {
				return false
			}
			http.Error(w, "no", code)
			return true
		}
	}
	tests := map[string]struct {
		method, token  string        // default: GET, right
		reads          int           // default: 1
		cancelAfter    time.Duration // 0: the client does not cancel its request
		pause          time.Duration
		fail           func(http.ResponseWriter, string, int64) bool
		status         authorizationv1.SubjectAccessReviewStatus
		code           int
		tokens, access int64 // the number of reviews
	}{
		"an authorized client": {
			reads: 7, pause: 59 * time.Second, code: http.StatusNoContent, tokens: 4, access: 2,
		},
		"an unauthorized client": {
			reads:  3,
			pause:  29 * time.Second,
			status: authorizationv1.SubjectAccessReviewStatus{Reason: "no rule allows it"},
			code:   http.StatusForbidden,
			tokens: 1,
			access: 2,
		},
		"an invalid token": {
			reads: 3, pause: 59 * time.Second, token: "wrong", code: http.StatusUnauthorized, tokens: 3,
		},
		"a method that is too long to be cached": {
			reads: 3, method: strings.Repeat("A", maxKey), code: http.StatusNoContent, tokens: 1, access: 3,
		},
		"a failed TokenReview is retried": {
			fail:   failing("tokenreviews", http.StatusInternalServerError, 2),
			code:   http.StatusNoContent,
			tokens: 3,
			access: 1,
		},
		"a failed SubjectAccessReview is retried": {
			fail:   failing("subjectaccessreviews", http.StatusServiceUnavailable, 1),
			code:   http.StatusNoContent,
			tokens: 1,
			access: 2,
		},
		"TokenReviews keep failing": {
			reads:  2,
			fail:   failing("tokenreviews", http.StatusInternalServerError, 99),
			code:   http.StatusUnauthorized,
			tokens: 6,
		},
		"SubjectAccessReviews keep failing": {
			fail:   failing("subjectaccessreviews", http.StatusInternalServerError, 99),
			code:   http.StatusInternalServerError,
			tokens: 1,
			access: 3,
		},
		"a forbidden SubjectAccessReview is not retried": {
			fail:   failing("subjectaccessreviews", http.StatusForbidden, 99),
			code:   http.StatusInternalServerError,
			tokens: 1,
			access: 1,
		},
		"a client that cancels its request": {
			cancelAfter: 20 * time.Millisecond,
			fail:        failing("subjectaccessreviews", http.StatusInternalServerError, 99),
			code:        http.StatusInternalServerError,
			tokens:      1,
			access:      1,
		},
		"allowed and denied: forbidden": {
			status: authorizationv1.SubjectAccessReviewStatus{Allowed: true, Denied: true},
			code:   http.StatusForbidden,
			tokens: 1,
			access: 1,
		},
	}
	for name, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			c := &reviews{fail: test.fail, status: test.status}
			read, before := readers(t, c), time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), cmp.Or(test.cancelAfter, time.Hour))
			defer cancel()
			for range max(test.reads, 1) {
				code := read(ctx, cmp.Or(test.method, http.MethodGet), cmp.Or(test.token, "right"))
				if code != test.code {
					t.Errorf("%s: got %d, want %d", name, code, test.code)
				}
				time.Sleep(test.pause)
			}
			if c.tokens != test.tokens || c.access != test.access {
				t.Errorf("%s: %d TokenReviews and %d SubjectAccessReviews, want %d and %d", name, c.tokens,
					c.access, test.tokens, test.access)
			}
			if took := time.Since(before); test.cancelAfter > 0 && took != test.cancelAfter {
				t.Errorf("%s: it took %s", name, took)
			}
		})
	}
}
