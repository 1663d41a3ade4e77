package webhook

import (
	"net/http"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/authenticatorfactory"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	authenticationv1 "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
)

const (
	// tokenCache, allowCache and denyCache are how long the cluster's answers are believed: what controller-runtime's
	// metrics servers do, where a scrape comes every 15 to 60 s.
	tokenCache = time.Minute
	allowCache = 5 * time.Minute
	denyCache  = 30 * time.Second
	// reviewTimeout is Prometheus' own default for a whole scrape.
	reviewTimeout = 10 * time.Second
)

// delegated asks the cluster who a reader is (TokenReview) and whether they may get the path (SubjectAccessReview). The
// server's account needs system:auth-delegator; a reader needs nonResourceURLs: [/metrics], verbs: [get].
type delegated struct {
	who  authenticator.Request
	may  authorizer.Authorizer
	next http.Handler
}

// newDelegated asks the cluster of a kubeconfig file, or else the one that client-go finds.
func newDelegated(kubeconfig string, next http.Handler) (http.Handler, error) {
	config, err := clusterOf(kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	tokens, err := authenticationv1.NewForConfigAndClient(config, client)
	if err != nil {
		return nil, err
	}
	access, err := authorizationv1.NewForConfigAndClient(config, client)
	if err != nil {
		return nil, err
	}
	// Two more tries within a second: a scrape that fails comes again by itself.
	backoff := &wait.Backoff{Duration: 250 * time.Millisecond, Factor: 1.5, Jitter: 0.2, Steps: 3}
	who, _, err := authenticatorfactory.DelegatingAuthenticatorConfig{
		Anonymous:                &apiserver.AnonymousAuthConfig{Enabled: false},
		TokenAccessReviewClient:  tokens,
		TokenAccessReviewTimeout: reviewTimeout,
		WebhookRetryBackoff:      backoff,
		CacheTTL:                 tokenCache,
	}.New()
	if err != nil {
		return nil, err
	}
	may, err := authorizerfactory.DelegatingAuthorizerConfig{
		SubjectAccessReviewClient: access,
		AllowCacheTTL:             allowCache,
		DenyCacheTTL:              denyCache,
		WebhookRetryBackoff:       backoff,
	}.New()
	if err != nil {
		return nil, err
	}
	return &delegated{who, may, next}, nil
}

func (d *delegated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reader, ok, err := d.who.AuthenticateRequest(r)
	if err != nil || !ok { // a wrong token is an error, too
		writeError(w, refuse(http.StatusUnauthorized, "unauthorized"))
		return
	}
	decision, _, err := d.may.Authorize(r.Context(), authorizer.AttributesRecord{
		User: reader.User, Verb: strings.ToLower(r.Method), Path: r.URL.Path,
	})
	switch {
	case err != nil:
		writeError(w, refuse(http.StatusInternalServerError, "the cluster does not say whether this is allowed"))
	case decision != authorizer.DecisionAllow:
		writeError(w, refuse(http.StatusForbidden, "forbidden: %s may not %s %s", shorten(reader.User.GetName(), 253), strings.ToLower(r.Method), r.URL.Path))
	default:
		d.next.ServeHTTP(w, r)
	}
}
