package main

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/path"
	"k8s.io/apiserver/pkg/authorization/union"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
)

// authorizer asks the cluster whether a caller may, as the options of a generic server say, but as often as it needs to. They bound it to 200
// questions a second, and there is one for each object that somebody asks for by name, so that a driver with 300 claims would wait here. How many
// questions it answers is for the cluster to say, by priority and fairness.
func (o *options) authorizer() (authorizer.Authorizer, error) {
	config, err := rest.InClusterConfig()
	if file := o.authz.RemoteKubeConfigFile; file != "" {
		config, err = clientcmd.BuildConfigFromFlags("", file)
	}
	if err != nil {
		return nil, fmt.Errorf("the cluster to ask: %w", err)
	}
	config.QPS = -1
	config.Timeout = o.authz.ClientTimeout
	config.Dial = atMost(mostSilent, toCluster)
	client, err := authorizationclient.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	reviews, reviewsErr := authorizerfactory.DelegatingAuthorizerConfig{
		SubjectAccessReviewClient: client,
		AllowCacheTTL:             o.authz.AllowCacheTTL,
		DenyCacheTTL:              o.authz.DenyCacheTTL,
		WebhookRetryBackoff:       o.authz.WebhookRetryBackoff,
	}.New()
	paths, pathsErr := path.NewAuthorizer(o.authz.AlwaysAllowPaths)
	if err := errors.Join(reviewsErr, pathsErr); err != nil {
		return nil, err
	}
	return union.New(
		union.NamedAuthorizer{AuthorizerName: "kubernetes.io/always-allow-groups", Authorizer: authorizerfactory.NewPrivilegedGroups(o.authz.AlwaysAllowGroups...)},
		union.NamedAuthorizer{AuthorizerName: "kubernetes.io/always-allow-paths", Authorizer: paths},
		union.NamedAuthorizer{AuthorizerName: "kubernetes.io/webhook", Authorizer: o.perName(reviews)},
	)
}

// perName asks about a request for one object first whether the caller may do the same to all of its kind there, which is asked once in ten
// seconds and not once an object: a round trip less for most requests. The store decides about the very object once more, as about any other
// request of the caller. So this is not for reads with the server's own rights, which nobody else decides about. Before a write the server
// itself reads: who may write all of a kind, and is kept from one object by an authorizer other than RBAC, which has no such rules, can learn
// whether that one is there and whether it has the resourceVersion that he sends, and changes nothing.
func (o *options) perName(next authorizer.Authorizer) authorizer.Authorizer {
	if caller.Mode(o.actAs) == caller.Nobody {
		return next
	}
	return authorizer.AuthorizerFunc(func(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
		if a.IsResourceRequest() && a.GetName() != "" {
			// A cluster that has not answered, after all tries of the client, is not asked once more by name: that would be twice the load.
			if decision, reason, err := next.Authorize(ctx, anyName{a}); err != nil || decision == authorizer.DecisionAllow {
				return decision, reason, err
			}
		}
		return next.Authorize(ctx, a)
	})
}

// anyName is a request for all objects of a kind.
type anyName struct{ authorizer.Attributes }

func (anyName) GetName() string { return "" }
