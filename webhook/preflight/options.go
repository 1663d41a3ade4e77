package preflight

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/claimbridge/claimbridge/config"
)

// Options of [Run]. The zero value looks for an installation as the manifests make it.
type Options struct {
	// Group of the claims. Default: that of the server in Namespace, by the flags of its Deployment.
	Group string
	// Namespace of the installation. Default: claimbridge-system.
	Namespace string
	// Skip checks, by name. What could not be read for them is not reported.
	Skip []string

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
			return fmt.Errorf("there is no check %.100q", name)
		}
	}
	o = o.complete()
	_, err := config.Manifests(config.Options{Group: cmp.Or(o.Group, config.DefaultGroup), Namespace: o.Namespace})
	return err
}

// kubectl, for the cluster that was looked at.
func (o Options) kubectl(args ...string) string { return shell("kubectl", o.ClusterFlags, args) }

// inNamespace of the server.
func (o Options) inNamespace(args ...string) string {
	return o.kubectl(append([]string{"-n", o.Namespace}, args...)...)
}

// again is preflight with other flags, for the cluster that was looked at.
func (o Options) again(args ...string) string {
	return shell("claimbridge", append([]string{"preflight"}, o.ClusterFlags...), args)
}

// restart the pods, which is for a person to decide: it stands in the text of a remedy, never in its command.
func (o Options) restart() string { return o.inNamespace("rollout", "restart", "deployment/"+name) }

// serverLog is a command that shows what the server has to say.
func (o Options) serverLog() string { return o.inNamespace("logs", "deployment/"+name, "--tail=50") }

// inTheLog of the server is what it knows of a failure.
func (o Options) inTheLog() remedy {
	return say("see what the server has to say; docs/troubleshooting.md has the texts").by(o.serverLog())
}
