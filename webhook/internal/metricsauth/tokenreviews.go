package metricsauth

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/rest"
)

// tokenReviews ask the cluster whose a token is, each time: the cache is around it.
type tokenReviews struct {
	*reviewClient
	log logr.Logger
}

var _ authenticator.Token = &tokenReviews{}

func newTokenReviews(config *rest.Config, client *http.Client, log logr.Logger) (*tokenReviews, error) {
	c, err := newReviewClient(config, client, authenticationv1.SchemeGroupVersion, authenticationv1.AddToScheme)
	return &tokenReviews{c, log}, err
}

// AuthenticateToken implements [authenticator.Token]. Audiences are those of the API server.
func (t *tokenReviews) AuthenticateToken(ctx context.Context, token string) (*authenticator.Response, bool, error) {
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}
	answer := &authenticationv1.TokenReview{}
	if err := t.ask(ctx, "tokenreviews", review, answer); err != nil {
		t.log.Error(err, "The cluster does not say who a reader of the metrics is")
		return nil, false, err
	}
	switch found := answer.Status; {
	case found.Authenticated:
		u := found.User
		return &authenticator.Response{User: &user.DefaultInfo{Name: u.Username, UID: u.UID, Groups: u.Groups, Extra: values[authenticationv1.ExtraValue, []string](u.Extra)}}, true, nil
	case found.Error != "":
		return nil, false, errors.New(found.Error)
	}
	return nil, false, nil
}

// values of what else is known of a user. Each review of the API has a type of its own for them.
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
