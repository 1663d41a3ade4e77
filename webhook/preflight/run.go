package preflight

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/config"
)

// requestTimeout when the configuration of the client has none: an API server that needs longer for one object is in
// trouble itself, but a person at a terminal should hear of it.
const requestTimeout = 10 * time.Second

// Options of [Run]. The zero value looks for an installation as the manifests make it.
type Options struct {
	// Group of the claims. Default: that of the server in Namespace, by the flags of its Deployment.
	Group string
	// Namespace of the installation. Default: claimbridge-system.
	Namespace string
	// Skip checks, by name. What only they need is not asked for.
	Skip []string

	// ClaimNamespace is where the writes of claims-can-be-written are tried. Default: default.
	ClaimNamespace string
	// ClaimTimeout bounds the reading of all claims. Default: a minute.
	ClaimTimeout time.Duration
	// ClusterFlags go into the commands of remedies, so that they ask the same cluster, like --context=staging.
	ClusterFlags []string

	rendered *rendered
}

// Validate says which option is wrong.
func (o Options) Validate() error {
	_, err := o.complete()
	return err
}

// complete fills in the defaults. The error names what is wrong.
func (o Options) complete() (_ Options, err error) {
	for _, name := range o.Skip {
		if !slices.Contains(Names(), name) {
			return o, fmt.Errorf("there is no check %.100q", name)
		}
	}
	o.Namespace = cmp.Or(o.Namespace, config.DefaultNamespace)
	o.ClaimNamespace, o.ClaimTimeout = cmp.Or(o.ClaimNamespace, "default"), cmp.Or(o.ClaimTimeout, time.Minute)
	o.rendered, err = render(cmp.Or(o.Group, config.DefaultGroup), o.Namespace)
	return o, err
}

// Run makes all checks against an API server, one after the other, and gives a result for each, in the order of [Checks].
// It fails only when an option is wrong or the API server does not answer at all. A run takes some 60 requests,
// and two for each 500 claims.
func Run(ctx context.Context, client *rest.Config, o Options) ([]Result, error) {
	c, o, err := begin(ctx, client, o)
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, check := range Checks {
		if slices.Contains(o.Skip, check.Name) {
			continue
		}
		v := &view{ctx: ctx, options: o, cluster: c, check: check, earlier: results}
		check.find(v)
		slices.SortStableFunc(v.findings, compare)
		results = append(results, Result{check, slices.Compact(v.findings), v.follows})
	}
	return results, ctx.Err()
}

// begin with an API server that answers, and know the group.
func begin(ctx context.Context, client *rest.Config, o Options) (*cluster, Options, error) {
	o, err := o.complete()
	if err != nil {
		return nil, o, err
	}
	c, err := newCluster(client)
	if err != nil {
		return nil, o, err
	}
	if err := c.answers(ctx); err != nil {
		return nil, o, err
	}
	if o.Group == "" {
		if o.Group, err = c.installedGroup(ctx, o.Namespace); err != nil {
			return nil, o, err
		}
		o, err = o.complete()
	}
	return c, o, err
}

// answers reports whether there is an API server at all. One that does is asked for everything, whatever it refuses.
func (c *cluster) answers(ctx context.Context) error {
	err := c.client.Get().AbsPath("/version").Do(ctx).Error()
	if _, answered := status(err); err == nil || answered && !apierrors.IsUnauthorized(err) {
		return nil
	}
	return fmt.Errorf("the API server at %s cannot be asked; look at --kubeconfig and --context: %w", c.host, err)
}
