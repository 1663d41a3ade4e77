package preflight

import (
	"net/http"
	"net/http/httptest"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

// Where nobody listens yet a write is tried again, and where somebody refuses it, it is not.
func TestAWriteWaitsForANetworkThatSettles(t *testing.T) {
	t.Parallel()
	const (
		away = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","code":500,` +
			`"message":"failed calling webhook: connect: connection refused"}`
		refused = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,` +
			`"message":"connection refused, says a policy"}`
	)
	for name, c := range map[string]struct {
		away    int
		then    string
		code    int
		calls   int
		accepts bool
		is      func(error) bool
	}{
		"it answers at once": {
			then:    `{"apiVersion":"claims.example.com/v1","kind":"ResourceClaim"}`,
			code:    201,
			calls:   1,
			accepts: true,
		},
		"it answers the third time": {
			away:    2,
			then:    `{"apiVersion":"claims.example.com/v1","kind":"ResourceClaim"}`,
			code:    201,
			calls:   3,
			accepts: true,
		},
		"nobody ever listens":           {away: 99, calls: 1 + settling, is: apierrors.IsInternalError},
		"another refuses with a reason": {then: refused, code: 403, calls: 1, is: apierrors.IsForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				code, body := c.code, c.then
				if calls++; calls <= c.away {
					code, body = 500, away
				}
				w.WriteHeader(code)
				_, _ = w.Write([]byte(body))
			}))
			defer server.Close()
			cluster, err := newCluster(&rest.Config{Host: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			_, err = cluster.create(t.Context(), v1("claims.example.com", claims, "ResourceClaim"), "default",
				map[string]any{
					"apiVersion": "claims.example.com/v1", "kind": "ResourceClaim",
				})
			if calls != c.calls {
				t.Errorf("asked %d times, want %d", calls, c.calls)
			}
			if c.accepts != (err == nil) || c.is != nil && !c.is(err) {
				t.Errorf("it says %v", err)
			}
		})
	}
}
