// Package metricsauth authenticates and authorizes clients of the metrics with TokenReviews and SubjectAccessReviews of
// a cluster.
//
// controller-runtime's filter (pkg/metrics/filters) is not used. It responds to an invalid token with 500 and a log
// line, adds 14 modules and 163 packages (99 and 1,150 instead of 85 and 987), and caches 8,192 results, although a few
// clients read metrics.
package metricsauth

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	tokencache "k8s.io/apiserver/pkg/authentication/token/cache"
	authenticationclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

const (
	// tokenCache, allowCache and denyCache are how long the cluster's responses are cached, as in controller-runtime's
	// metrics servers. A scrape comes every 15 to 60 s.
	tokenCache = time.Minute
	allowCache = 5 * time.Minute
	denyCache  = 30 * time.Second
)

// maxDecisions is the number of cached authorizations. Only authenticated clients use the cache: a few Prometheus
// servers and users. At the limit, the least recently used one is removed.
const maxDecisions = 256

// delegated authenticates a client with a TokenReview, and authorizes it to get the path with a SubjectAccessReview.
// The server's account needs system:auth-delegator. A client needs nonResourceURLs: [/metrics], verbs: [get].
type delegated struct {
	tokens        authenticationclient.TokenReviewInterface
	access        authorizationclient.SubjectAccessReviewInterface
	decisions     *cache.LRUExpireCache // bool by the spec of the review
	authenticator authenticator.Request
	next          http.Handler
	log           logr.Logger
}

// New returns a handler that passes authorized requests to the next handler.
func New(config *rest.Config, log logr.Logger, next http.Handler) (http.Handler, error) {
	config = rest.CopyConfig(config)
	config.ContentType = runtime.ContentTypeJSON
	tokens, err := authenticationclient.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	reviews, err := authorizationclient.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	d := &delegated{
		tokens:    tokens.TokenReviews(),
		access:    reviews.SubjectAccessReviews(),
		decisions: cache.NewLRUExpireCache(maxDecisions),
		next:      next,
		log:       log,
	}
	d.authenticator = group.NewAuthenticatedGroupAdder(bearertoken.New(tokencache.New(d, false, tokenCache, tokenCache)))
	return d, nil
}

func (d *delegated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reader, ok, err := d.authenticator.AuthenticateRequest(r)
	if err != nil || !ok { // a wrong token is an error, too
		httperror.Write(w, httperror.New(http.StatusUnauthorized, "unauthorized"))
		return
	}
	verb := strings.ToLower(r.Method)
	allowed, err := d.allow(r.Context(), reader.User, verb, r.URL.Path)
	switch {
	case err != nil:
		d.log.Error(err, "Cannot authorize a client of the metrics")
		httperror.Write(w,
			httperror.New(http.StatusInternalServerError, "the API server did not answer the SubjectAccessReview"))
	case !allowed:
		httperror.Write(w,
			httperror.New(http.StatusForbidden, "forbidden: user %q cannot %s path %q",
				httperror.Truncate(reader.User.GetName(), 253), verb, r.URL.Path))
	default:
		d.next.ServeHTTP(w, r)
	}
}
