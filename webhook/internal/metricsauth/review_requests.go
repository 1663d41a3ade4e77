package metricsauth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
)

const (
	// reviewTimeout is the time for a review with all retries. It is Prometheus' default timeout for a scrape.
	reviewTimeout = 10 * time.Second
	// maxKey in bytes is the limit of a cache key. A user with some hundred groups fits. The method of a request, which
	// can be as long as its header, must not exhaust the memory.
	maxKey = 16 << 10
)

// AuthenticateToken sends a TokenReview for a token. The caller caches the result. Audiences are those of the API
// server.
func (d *delegated) AuthenticateToken(ctx context.Context, token string) (*authenticator.Response, bool, error) {
	answer, err := createReview(ctx, d.tokens.Create, &authenticationv1.TokenReview{
		Spec: authenticationv1.TokenReviewSpec{Token: token},
	})
	switch {
	case err != nil:
		d.log.Error(err, "Cannot authenticate a client of the metrics")
		return nil, false, err
	case answer.Status.Authenticated:
		u := answer.Status.User
		return &authenticator.Response{
			User: &user.DefaultInfo{
				Name:   u.Username,
				UID:    u.UID,
				Groups: u.Groups,
				Extra:  values[authenticationv1.ExtraValue, []string](u.Extra),
			},
		}, true, nil
	case answer.Status.Error != "":
		return nil, false, errors.New(answer.Status.Error)
	}
	return nil, false, nil
}

// allow reports whether a user has permission for a verb on a path that is not a resource.
func (d *delegated) allow(ctx context.Context, u user.Info, verb, path string) (bool, error) {
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User:                  u.GetName(),
		UID:                   u.GetUID(),
		Groups:                u.GetGroups(),
		Extra:                 values[[]string, authorizationv1.ExtraValue](u.GetExtra()),
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: path, Verb: verb},
	}}
	key, err := json.Marshal(review.Spec)
	if err != nil {
		return false, err
	}
	if known, ok := d.decisions.Get(string(key)); ok {
		return known.(bool), nil
	}
	answer, err := createReview(ctx, d.access.Create, review)
	if err != nil {
		return false, err
	}
	allowed := answer.Status.Allowed && !answer.Status.Denied
	ttl := denyCache
	if allowed {
		ttl = allowCache
	}
	if len(key) <= maxKey {
		d.decisions.Add(string(key), allowed, ttl)
	}
	return allowed, nil
}

// createReview creates a review, whose response is in the same object. After a temporary error, it retries twice within
// a second, unless the client disconnects: Prometheus retries a failed scrape itself.
func createReview[Review any](
	ctx context.Context, create func(context.Context, Review, metav1.CreateOptions) (Review, error), review Review,
) (answer Review, err error) {
	ctx, cancel := context.WithTimeout(ctx, reviewTimeout)
	defer cancel()
	tries := wait.Backoff{Duration: 250 * time.Millisecond, Factor: 1.5, Jitter: 0.2, Steps: 3}
	ended := wait.ExponentialBackoffWithContext(ctx, tries, func(ctx context.Context) (bool, error) {
		answer, err = create(ctx, review, metav1.CreateOptions{})
		return !isTemporary(err), nil
	})
	return answer, cmp.Or(err, ended)
}

// isTemporary reports whether an error is temporary: the connection was lost, or the API server is busy.
func isTemporary(err error) bool {
	return utilnet.IsConnectionReset(err) || utilnet.IsHTTP2ConnectionLost(err) ||
		apierrors.IsInternalError(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsServiceUnavailable(err)
}

// values converts the extra fields of a user. Each kind of review has a different type for them.
func values[From, To ~[]string](extra map[string]From) map[string]To {
	if extra == nil {
		return nil
	}
	all := make(map[string]To, len(extra))
	for key, value := range extra {
		all[key] = To(value)
	}
	return all
}
