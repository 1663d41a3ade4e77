package preflight

import (
	"context"
	"slices"

	"k8s.io/client-go/rest"
)

// Validate says which option is wrong.
func (o Options) Validate() error { return o.complete().check(Names()) }

// Run makes all checks against an API server, one after the other, and gives a result for each, in the order of [Checks].
// It fails only when an option is wrong or the API server does not answer at all. A run takes some 80 requests,
// and two for each 500 claims.
func Run(ctx context.Context, client *rest.Config, o Options) (results []Result, err error) {
	o = o.complete()
	if err := o.check(Names()); err != nil {
		return nil, err
	}
	c, err := newCluster(client)
	if err != nil {
		return nil, err
	}
	if err := c.answers(); err != nil {
		return nil, err
	}
	s, err := read(ctx, c, o)
	if err != nil {
		return nil, err
	}
	for _, check := range Checks {
		if !slices.Contains(o.Skip, check.Name) {
			results = append(results, check.make(ctx, c, s, results))
		}
	}
	return results, ctx.Err()
}
