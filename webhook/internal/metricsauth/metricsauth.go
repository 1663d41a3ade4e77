// Package metricsauth lets those read metrics of whom a cluster says who they are (TokenReview) and that they may
// (SubjectAccessReview).
//
// controller-runtime's filter (pkg/metrics/filters) is not used: it answers a wrong token with 500
// and a line in the log each, brings 13 modules and 159 packages (98 and 1,149 for 85 and 995), and
// keeps 8,192 answers, where a few readers come.
package metricsauth

import (
	"cmp"
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

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

const (
	// tokenCache, allowCache and denyCache are how long the cluster's answers are believed: what controller-runtime's
	// metrics servers do, where a scrape comes every 15 to 60 s.
	tokenCache = time.Minute
	allowCache = 5 * time.Minute
	denyCache  = 30 * time.Second
)

// maxAnswers about readers that are believed at a time. Only who has a token of the cluster comes that far: a few
// Prometheus servers and people. The one that was used longest ago is asked for again.
const maxAnswers = 256

// delegated asks the cluster who a reader is (TokenReview) and whether they may get the path (SubjectAccessReview). The
// server's account needs system:auth-delegator; a reader needs nonResourceURLs: [/metrics], verbs: [get].
type delegated struct {
	tokens  authenticationclient.TokenReviewInterface
	access  authorizationclient.SubjectAccessReviewInterface
	answers *cache.LRUExpireCache // bool by the spec of the review
	who     authenticator.Request
	next    http.Handler
	log     logr.Logger
}

// New handler that lets those through to the next one of whom the cluster says that they may.
func New(config *rest.Config, log logr.Logger, next http.Handler) (http.Handler, error) {
	config = rest.CopyConfig(config)
	config.ContentType = runtime.ContentTypeJSON
	tokens, err := authenticationclient.NewForConfig(config)
	access, noAccess := authorizationclient.NewForConfig(config)
	if err = cmp.Or(err, noAccess); err != nil {
		return nil, err
	}
	d := &delegated{
		tokens:  tokens.TokenReviews(),
		access:  access.SubjectAccessReviews(),
		answers: cache.NewLRUExpireCache(maxAnswers),
		next:    next,
		log:     log,
	}
	d.who = group.NewAuthenticatedGroupAdder(bearertoken.New(tokencache.New(d, false, tokenCache, tokenCache)))
	return d, nil
}

func (d *delegated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reader, ok, err := d.who.AuthenticateRequest(r)
	if err != nil || !ok { // a wrong token is an error, too
		refusal.Write(w, refusal.New(http.StatusUnauthorized, "unauthorized"))
		return
	}
	verb := strings.ToLower(r.Method)
	allowed, err := d.allow(r.Context(), reader.User, verb, r.URL.Path)
	switch {
	case err != nil:
		d.log.Error(err, "Cannot authorize a client of the metrics")
		refusal.Write(w,
			refusal.New(http.StatusInternalServerError, "the cluster does not say whether this is allowed"))
	case !allowed:
		refusal.Write(w,
			refusal.New(http.StatusForbidden, "forbidden: %s may not %s %s",
				refusal.Shorten(reader.User.GetName(), 253), verb, r.URL.Path))
	default:
		d.next.ServeHTTP(w, r)
	}
}
