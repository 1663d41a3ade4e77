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

// Options are the options of [Run]. The zero value checks an installation of the manifests.
type Options struct {
	// Group is the group of the claims. Default: the group that the Deployment in Namespace serves, by its flags.
	Group string
	// Namespace is the namespace of the installation. Default: claimbridge-system.
	Namespace string
	// Certificates is the issuer of the certificates of a planned installation. Default: cert-manager, as in the
	// manifests, if claimbridge is not installed; otherwise cert-manager is not checked.
	Certificates config.Certificates
	// Skip names checks that are not run.
	Skip []string
	// Wait is how long all checks are repeated until they pass. Default: they run once.
	Wait time.Duration
	// ClaimNamespace is the namespace of dry-run writes. Default: default.
	ClaimNamespace string
	// ClaimTimeout limits the time of each check that writes or reads claims. Default: one minute.
	ClaimTimeout time.Duration
}

// Validate returns an error for the first wrong option.
func (o Options) Validate() error {
	for _, name := range o.Skip {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("there is no check %.100q to skip: see %s", name, page)
		}
	}
	_, err := config.Manifests(config.Options{
		Group:        cmp.Or(o.Group, config.DefaultGroup),
		Namespace:    o.Namespace,
		Certificates: o.Certificates,
	})
	return err
}

// withDefaults returns the options with defaults for those that are not set.
func (o Options) withDefaults() Options {
	o.Namespace = cmp.Or(o.Namespace, config.DefaultNamespace)
	o.ClaimNamespace = cmp.Or(o.ClaimNamespace, "default")
	o.ClaimTimeout = cmp.Or(o.ClaimTimeout, time.Minute)
	return o
}

// retryInterval is the pause between two runs of Options.Wait.
const retryInterval = 2 * time.Second

// Run runs all checks against the API server of the client and returns their results in the order of [Checks]. It
// returns an error if an option is wrong ([Options.Validate], [ErrNoGroup]), if the API server cannot be reached, or if
// the context ends. If checks fail, it repeats them for Options.Wait and returns the last results.
func Run(ctx context.Context, client *rest.Config, o Options) ([]Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	end := time.Now().Add(o.Wait)
	for {
		results, err := runOnce(ctx, client, o)
		passed := err == nil && !slices.ContainsFunc(results, Result.Failed)
		if passed || time.Until(end) < retryInterval {
			return results, cmp.Or(err, ctx.Err())
		}
		select {
		case <-ctx.Done():
			return results, ctx.Err()
		case <-time.After(retryInterval):
		}
	}
}

func runOnce(ctx context.Context, client *rest.Config, o Options) ([]Result, error) {
	c, err := connect(ctx, client, o)
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, check := range Checks {
		if !slices.Contains(o.Skip, check.Name) {
			results = append(results, runCheck(ctx, c, check, results))
		}
	}
	return results, nil
}

// runCheck runs a check, unless a problem of an earlier check explains what this one would find.
func runCheck(ctx context.Context, c *cluster, check Check, earlier []Result) Result {
	timeout := checkTimeout
	if check.usesClaims {
		timeout = c.ClaimTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if cause := causeOf(check, earlier); cause != "" {
		return Result{Check: check.Name, State: Skipped, SkippedBecause: cause}
	}
	if !check.beforeInstall && c.isAbsent(ctx) {
		return Result{Check: check.Name, State: Skipped, SkippedBecause: installedCheck}
	}
	return newResult(check, check.run(ctx, c), earlier)
}

// causeOf returns the earlier check whose problem explains what the check would find, if there is one. A check that it
// needs may have been skipped because of that problem.
func causeOf(check Check, earlier []Result) string {
	var problems []string
	for _, result := range earlier {
		if result.State == Problem {
			problems = append(problems, result.Check)
		}
		if !slices.Contains(check.needs, result.Check) {
			continue
		}
		cause := cmp.Or(result.SkippedBecause, result.Check)
		if slices.Contains(problems, cause) {
			return cause
		}
	}
	return ""
}
