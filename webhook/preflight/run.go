// Package preflight reports what is wrong with the installation of claimbridge in a cluster, each with its remedy.
//
// [Checks] is the list. [Run] makes them all against an API server and changes nothing: it reads,
// and writes as dry runs. It looks at what API servers look at: whether the definitions of claims
// can be served, where they say that conversions happen, which certificates they trust there, and
// who judges writes. A check that cannot be made says so and why; that is never the same as finding
// nothing.
package preflight

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/config"
)

// Checks in the order in which they are made.
var Checks = []*Check{
	// What the cluster must be like: who serves the group, and is claimbridge there at all.
	serverServesThisGroup, groupIsNotBuiltIn, groupIsNotAggregated, claimbridgeIsInstalled, certManagerIsInstalled,
	// The definitions, and the versions of objects: in which one they are stored, and whether they are converted.
	definitionsExist, definitionsAreOurs, definitionsAreAccepted,
	storedVersionIsNewest, storedVersionsAreMigrated, severalVersionsAreConverted, conversionIsNotLeftBehind,
	// The server, the way to it, and the certificates on that way.
	certificateSecretIsFilled, deploymentIsAvailable,
	serviceExists, webhooksCallThisInstallation, serviceHasPort, serviceHasEndpoints,
	caBundleIsSet, caBundleIsCurrent, certificateIsCurrent, certificateIsTrusted,
	// Who validates writes, and the proof: a claim is written and read.
	validatingConfigurationExists,
	mutatingConfigurationExists,
	webhooksAreNotOptional,
	everyServedVersionIsJudged,
	noWriteIsExempt,
	claimsCanBeWritten, claimsCanBeRead,
}

// Names of all checks.
func Names() (names []string) {
	for _, c := range Checks {
		names = append(names, c.Name)
	}
	return names
}

// Run makes all checks against an API server, one after the other, and gives a result for each, in
// the order of [Checks]. It fails only when an option is wrong or the API server does not answer at
// all. A run takes some 80 requests, and two for each 500 claims.
func Run(ctx context.Context, client *rest.Config, o Options) (results []Result, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.complete()
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

// Options of [Run]. The zero value looks for an installation as the manifests make it.
type Options struct {
	// Group of the claims. Default: that of the server in Namespace, by the flags of its Deployment.
	Group string
	// Namespace of the installation. Default: claimbridge-system.
	Namespace string
	// Skip checks, by name. What could not be read for them is not reported.
	Skip []string

	// Certificates is who issues the certificates of an installation that is planned. Default: cert-manager, as in the
	// manifests, where nothing is installed; otherwise the installation is checked as it is.
	Certificates config.Certificates

	// ClaimNamespace is where the writes of claims-can-be-written are tried. Default: default.
	ClaimNamespace string
	// ClaimTimeout bounds the reading of all claims. Default: a minute.
	ClaimTimeout time.Duration
	// ClusterFlags go into the commands of remedies, so that they ask the same cluster, like --context=staging.
	ClusterFlags []string
}

// complete fills in the defaults.
func (o Options) complete() Options {
	o.Namespace = cmp.Or(o.Namespace, config.DefaultNamespace)
	o.ClaimNamespace, o.ClaimTimeout = cmp.Or(o.ClaimNamespace, "default"), cmp.Or(o.ClaimTimeout, time.Minute)
	return o
}

// Validate says which option is wrong.
func (o Options) Validate() error {
	for _, name := range o.Skip {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("skip: there is no check %.100q, docs/preflight.md lists them", name)
		}
	}
	o = o.complete()
	_, err := config.Manifests(config.Options{
		Group:        cmp.Or(o.Group, config.DefaultGroup),
		Namespace:    o.Namespace,
		Certificates: o.Certificates,
	})
	return err
}
