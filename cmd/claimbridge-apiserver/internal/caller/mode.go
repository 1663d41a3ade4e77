// Package caller says as whom the cluster is asked. Who calls is known from the context of the request, where authentication has put it, and
// from nowhere else: no header of the request is looked at or copied.
package caller

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/transport"
)

// Mode of asking the cluster.
type Mode string

const (
	// Constrained impersonation of the caller, on by default since Kubernetes 1.36: the server's account may act for anyone, but with the
	// resources and verbs of its role alone. A service account or a node is impersonated by its name alone, anybody else with UID, groups
	// and extras. Members of system:masters, for whom nobody may act this way, are served with the account's own rights.
	Constrained Mode = "caller"
	// Legacy impersonation of the caller, for Kubernetes 1.34 and 1.35, with all that is known of them. The right to it is worth
	// cluster-admin.
	Legacy Mode = "caller-legacy"
	// Nobody is impersonated: callers read with the account's own rights, once the cluster has said that they may, and write nothing.
	Nobody Mode = "nobody"
)

// Modes there are, the default first.
func Modes() []string { return []string{string(Constrained), string(Legacy), string(Nobody)} }

// Annotation of the audit entries of requests that the cluster is asked with the server's own rights: the name of the caller. The cluster's
// own entry has the server's name, and the same audit ID.
const Annotation = "claimbridge.dev/caller"

// As gives a transport that asks in the name of the user of ctx over a transport that asks in the server's own.
//
// The error is one of the API: 401 without a user; 403 for a user whose name, groups or extras cannot be told the cluster without
// becoming another one's; 405 for a write when nobody is impersonated.
func (m Mode) As(ctx context.Context, method string, own http.RoundTripper) (http.RoundTripper, error) {
	u, ok := request.UserFrom(ctx)
	if !ok || u == nil || u.GetName() == "" {
		return nil, apierrors.NewUnauthorized("the request has no user")
	}
	switch {
	case m == Nobody && method != http.MethodGet:
		return nil, readOnly()
	case m == Nobody, m == Constrained && slices.Contains(u.GetGroups(), user.SystemPrivilegedGroup):
		audit.AddAuditAnnotation(ctx, Annotation, u.GetName())
		return own, nil
	}
	as, err := m.identity(u)
	if err != nil {
		return nil, forbidden(ctx, fmt.Errorf("claimbridge-apiserver cannot act for user %q: %w", u.GetName(), err))
	}
	return transport.NewImpersonatingRoundTripper(as, own), nil
}

// identity to ask for. What the cluster makes of it is the caller, or an error: never someone with more, and never with fewer groups, as a
// policy may deny by a group.
func (m Mode) identity(u user.Info) (transport.ImpersonationConfig, error) {
	if err := tellable(u); err != nil {
		return transport.ImpersonationConfig{}, err
	}
	name := u.GetName()
	groups := withoutImplied(u.GetGroups())
	if m == Constrained {
		if fixed, isFixed := fixedGroups(name); isFixed {
			if !sameSet(groups, fixed) {
				return transport.ImpersonationConfig{}, fmt.Errorf("its groups are %q, where the cluster gives that name %q", groups, fixed)
			}
			return transport.ImpersonationConfig{UserName: name}, nil
		}
	}
	return transport.ImpersonationConfig{UserName: name, UID: u.GetUID(), Groups: groups, Extra: u.GetExtra()}, nil
}

// withoutImplied leaves out system:authenticated, which the cluster adds to everyone who is impersonated, but for those that have
// system:unauthenticated.
func withoutImplied(groups []string) []string {
	if slices.Contains(groups, user.AllUnauthenticated) {
		return groups
	}
	return slices.DeleteFunc(slices.Clone(groups), func(group string) bool { return group == user.AllAuthenticated })
}

func sameSet(a, b []string) bool {
	in := func(all []string) func(string) bool {
		return func(one string) bool { return slices.Contains(all, one) }
	}
	return !slices.ContainsFunc(a, not(in(b))) && !slices.ContainsFunc(b, not(in(a)))
}

func not(is func(string) bool) func(string) bool { return func(one string) bool { return !is(one) } }

func readOnly() error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusMethodNotAllowed, Reason: metav1.StatusReasonMethodNotAllowed,
		Message: "claimbridge-apiserver serves this version read-only (--act-as=nobody): write resource.k8s.io/v1, or ask an administrator for --act-as=caller",
	}}
}

// forbidden as an authorizer says it, with what was asked for.
func forbidden(ctx context.Context, err error) error {
	info, ok := request.RequestInfoFrom(ctx)
	if !ok {
		return apierrors.NewForbidden(schema.GroupResource{}, "", err)
	}
	return apierrors.NewForbidden(schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}, info.Name, err)
}

// tellable says whether headers carry a user as they are. White space around a value is lost on the way, and so are capitals in the keys of
// extras: each would make a user another one.
func tellable(u user.Info) error {
	if u.GetUID() != "" && !plain(u.GetUID()) {
		return errors.New("its UID has white space around it or control characters")
	}
	if !plain(u.GetName()) {
		return errors.New("its name has white space around it or control characters")
	}
	for _, group := range u.GetGroups() {
		if !plain(group) {
			return fmt.Errorf("its group %q is empty, or has white space around it or control characters", group)
		}
	}
	for key, values := range u.GetExtra() {
		if key == "" || key != strings.ToLower(key) {
			return fmt.Errorf("the key %q of its extras is empty or has capitals", key)
		}
		for _, value := range values {
			if !plain(value) {
				return fmt.Errorf("a value of its extra %q is empty, or has white space around it or control characters", key)
			}
		}
	}
	return nil
}
