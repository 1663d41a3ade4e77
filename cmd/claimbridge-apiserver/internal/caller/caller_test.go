package caller

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// recorder answers nothing and keeps what it was asked.
type recorder struct{ asked http.Header }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.asked = req.Header
	return httptest.NewRecorder().Result(), nil
}

func TestHeaders(t *testing.T) {
	tests := map[string]struct {
		mode   Mode
		method string // default: GET
		user   user.Info
		want   http.Header
		code   int // of the error
	}{
		"a user goes with groups, UID and extras, but for the group that the cluster adds": {
			mode: Constrained,
			user: &user.DefaultInfo{Name: "alice", UID: "7", Groups: []string{"devs", "system:authenticated"}, Extra: map[string][]string{"example.com/team": {"a", "b"}}},
			want: http.Header{
				"Impersonate-User": {"alice"}, "Impersonate-Uid": {"7"}, "Impersonate-Group": {"devs"},
				"Impersonate-Extra-Example.com%2fteam": {"a", "b"},
			},
		},
		"the credential of a certificate is an extra as any other": {
			mode: Constrained,
			user: &user.DefaultInfo{Name: "carol", Extra: map[string][]string{"authentication.kubernetes.io/credential-id": {"X509SHA256=00"}}},
			want: http.Header{"Impersonate-User": {"carol"}, "Impersonate-Extra-Authentication.kubernetes.io%2fcredential-Id": {"X509SHA256=00"}},
		},
		"a service account goes by its name alone": {
			mode: Constrained,
			user: &user.DefaultInfo{Name: "system:serviceaccount:ns:robot", UID: "7",
				Groups: []string{"system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"},
				Extra:  map[string][]string{"authentication.kubernetes.io/node-name": {"n"}}},
			want: http.Header{"Impersonate-User": {"system:serviceaccount:ns:robot"}},
		},
		"a certificate for the name of a service account would gain its groups": {
			mode: Constrained, user: &user.DefaultInfo{Name: "system:serviceaccount:ns:robot", Groups: []string{"devs", "system:authenticated"}}, code: 403,
		},
		"a service account with a group more would lose it": {
			mode: Constrained, code: 403,
			user: &user.DefaultInfo{Name: "system:serviceaccount:ns:robot", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:ns", "banned"}},
		},
		"what only looks like a service account is a user": {
			mode: Constrained, user: &user.DefaultInfo{Name: "system:serviceaccount:ns:robot:x", Groups: []string{"devs"}},
			want: http.Header{"Impersonate-User": {"system:serviceaccount:ns:robot:x"}, "Impersonate-Group": {"devs"}},
		},
		"a node goes by its name alone": {
			mode: Constrained, user: &user.DefaultInfo{Name: "system:node:n1", Groups: []string{"system:nodes", "system:authenticated"}},
			want: http.Header{"Impersonate-User": {"system:node:n1"}},
		},
		"the name of a node without its group would gain it": {
			mode: Constrained, user: &user.DefaultInfo{Name: "system:node:n1", Groups: []string{"system:authenticated"}}, code: 403,
		},
		"the group of nodes without the name of one is a group": {
			mode: Constrained, user: &user.DefaultInfo{Name: "system:node:No_Node", Groups: []string{"system:nodes"}},
			want: http.Header{"Impersonate-User": {"system:node:No_Node"}, "Impersonate-Group": {"system:nodes"}},
		},
		"anonymous stays anonymous": {
			mode: Constrained, user: &user.DefaultInfo{Name: "system:anonymous", Groups: []string{"system:unauthenticated"}},
			want: http.Header{"Impersonate-User": {"system:anonymous"}, "Impersonate-Group": {"system:unauthenticated"}},
		},
		"with both groups, none of which the cluster would add, both go": {
			mode: Constrained, user: &user.DefaultInfo{Name: "odd", Groups: []string{"system:authenticated", "system:unauthenticated"}},
			want: http.Header{"Impersonate-User": {"odd"}, "Impersonate-Group": {"system:authenticated", "system:unauthenticated"}},
		},
		"system:masters are served with own rights": {
			mode: Constrained, method: http.MethodPut, user: &user.DefaultInfo{Name: "root", Groups: []string{"system:masters", "system:authenticated"}},
			want: http.Header{},
		},
		"by legacy impersonation system:masters go as they are": {
			mode: Legacy, user: &user.DefaultInfo{Name: "root", Groups: []string{"system:masters", "system:authenticated"}},
			want: http.Header{"Impersonate-User": {"root"}, "Impersonate-Group": {"system:masters"}},
		},
		"by legacy impersonation a service account goes with all it has": {
			mode: Legacy,
			user: &user.DefaultInfo{Name: "system:serviceaccount:ns:robot", UID: "7",
				Groups: []string{"system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"},
				Extra:  map[string][]string{"authentication.kubernetes.io/node-name": {"n"}}},
			want: http.Header{
				"Impersonate-User": {"system:serviceaccount:ns:robot"}, "Impersonate-Uid": {"7"},
				"Impersonate-Group": {"system:serviceaccounts", "system:serviceaccounts:ns"},
				"Impersonate-Extra-Authentication.kubernetes.io%2fnode-Name": {"n"},
			},
		},
		"acting as nobody, reads are with own rights": {mode: Nobody, user: &user.DefaultInfo{Name: "alice"}, want: http.Header{}},
		"acting as nobody, a write is refused":        {mode: Nobody, method: http.MethodPatch, user: &user.DefaultInfo{Name: "alice"}, code: 405},
		"acting as nobody, even that of system:masters is": {
			mode: Nobody, method: http.MethodDelete, user: &user.DefaultInfo{Name: "root", Groups: []string{"system:masters"}}, code: 405,
		},
		"an empty name is nobody":                       {mode: Constrained, user: &user.DefaultInfo{Groups: []string{"system:masters"}}, code: 401},
		"no user is nobody":                             {mode: Nobody, code: 401},
		"a name with a space behind would be another's": {mode: Constrained, user: &user.DefaultInfo{Name: "admin "}, code: 403},
		"a name of two lines would add a header": {
			mode: Legacy, user: &user.DefaultInfo{Name: "a\r\nImpersonate-Group: system:masters"}, code: 403,
		},
		"a group of white space is refused":   {mode: Constrained, user: &user.DefaultInfo{Name: "a", Groups: []string{"\tdevs"}}, code: 403},
		"an empty group is refused":           {mode: Constrained, user: &user.DefaultInfo{Name: "a", Groups: []string{""}}, code: 403},
		"capitals in the key of an extra are": {mode: Legacy, user: &user.DefaultInfo{Name: "a", Extra: map[string][]string{"Scopes": {"x"}}}, code: 403},
		"an empty value of an extra is":       {mode: Legacy, user: &user.DefaultInfo{Name: "a", Extra: map[string][]string{"scopes": {""}}}, code: 403},
		"a UID of white space is":             {mode: Constrained, user: &user.DefaultInfo{Name: "a", UID: " "}, code: 403},
		"other letters than ours are no reason": {
			mode: Constrained, user: &user.DefaultInfo{Name: "jörg müller"}, want: http.Header{"Impersonate-User": {"jörg müller"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if test.user != nil {
				ctx = request.WithUser(ctx, test.user)
			}
			if test.method == "" {
				test.method = http.MethodGet
			}
			var r recorder
			rt, err := test.mode.As(ctx, test.method, &r)
			if test.code != 0 {
				status, is := err.(apierrors.APIStatus)
				if !is || int(status.Status().Code) != test.code {
					t.Fatalf("want an error of code %d, got %v", test.code, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			req := httptest.NewRequestWithContext(ctx, test.method, "/", http.NoBody)
			resp, err := rt.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if diff := cmp.Diff(test.want, r.asked); diff != "" {
				t.Errorf("headers (-want +got):\n%s", diff)
			}
		})
	}
}

// Whoever is served with the server's own rights stands in its audit log by name.
func TestOwnRightsAreWrittenDown(t *testing.T) {
	for name, mode := range map[string]Mode{"a master": Constrained, "a reader when nobody is impersonated": Nobody} {
		t.Run(name, func(t *testing.T) {
			ctx := audited(t.Context())
			ctx = request.WithUser(ctx, &user.DefaultInfo{Name: "root", Groups: []string{"system:masters"}})
			if _, err := mode.As(ctx, http.MethodGet, &recorder{}); err != nil {
				t.Fatal(err)
			}
			if got, _ := audit.AuditContextFrom(ctx).GetEventAnnotation(Annotation); got != "root" {
				t.Errorf("want the name of the caller, got %q", got)
			}
		})
	}
}

func audited(parent context.Context) context.Context {
	ctx := audit.WithAuditContext(parent)
	_ = audit.AuditContextFrom(ctx).Init(audit.RequestAuditConfig{Level: auditinternal.LevelMetadata}, nil)
	return ctx
}
