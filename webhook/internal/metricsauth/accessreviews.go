package metricsauth

import (
	"context"
	"encoding/json"
	"net/http"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/rest"
)

// maxAnswers about readers that are believed at a time. Only who has a token of the cluster comes that far: a few
// Prometheus servers and people. The one that was used longest ago is asked for again.
const maxAnswers = 256

// maxKey in bytes of what an answer is kept by. A user of some hundred groups fits; a method, which the reader chooses and
// which may be as long as the header, must not fill the memory.
const maxKey = 16 << 10

// accessReviews ask the cluster what a user may do.
type accessReviews struct {
	*reviewClient
	answers *cache.LRUExpireCache // bool by the spec of the review
}

func newAccessReviews(config *rest.Config, client *http.Client) (*accessReviews, error) {
	c, err := newReviewClient(config, client, authorizationv1.SchemeGroupVersion, authorizationv1.AddToScheme)
	return &accessReviews{c, cache.NewLRUExpireCache(maxAnswers)}, err
}

// allow reports whether a user may do something with a path that is no resource.
func (a *accessReviews) allow(ctx context.Context, u user.Info, verb, path string) (bool, error) {
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: u.GetName(), UID: u.GetUID(), Groups: u.GetGroups(), Extra: values[[]string, authorizationv1.ExtraValue](u.GetExtra()),
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: path, Verb: verb},
	}}
	key, err := json.Marshal(review.Spec)
	if err != nil {
		return false, err
	}
	if known, ok := a.answers.Get(string(key)); ok {
		return known.(bool), nil
	}
	answer := &authorizationv1.SubjectAccessReview{}
	if err := a.ask(ctx, "subjectaccessreviews", review, answer); err != nil {
		return false, err
	}
	allowed, believed := answer.Status.Allowed && !answer.Status.Denied, denyCache
	if allowed {
		believed = allowCache
	}
	if len(key) <= maxKey {
		a.answers.Add(string(key), allowed, believed)
	}
	return allowed, nil
}
