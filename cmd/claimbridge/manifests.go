package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	cliflag "k8s.io/component-base/cli/flag"

	"github.com/claimbridge/claimbridge/config"
)

const manifestsLong = `Write the manifests that install claimbridge in a cluster to standard output, for kubectl apply --server-side -f -.

NEVER install the group resource.k8s.io where the API server serves any version of it itself, as Kubernetes 1.34 and later
do unless told otherwise: every request for claims would be answered with 404, in all versions. This command tells:

  kubectl get apiservices -l kube-aggregator.kubernetes.io/automanaged=onstart | grep resource.k8s.io

Where it prints a line, give --group a name of your own: the same API works there under that name.

Certificates:

  cert-manager  cert-manager has to be in the cluster. It makes the serving certificate and tells API servers its CA.
  self          The server makes them itself. Nothing else is needed.
  files         You make the Secret claimbridge-tls, with the names of the server's Service in the certificate, and
                give the CA that signed it with --ca-file:

                  claimbridge manifests --certificates=files --ca-file=ca.crt | kubectl apply --server-side -f -
                  kubectl create secret generic claimbridge-tls -n claimbridge-system --type=kubernetes.io/tls \
                    --from-file=tls.crt --from-file=tls.key --from-file=ca.crt

                API servers ask for the name claimbridge.NAMESPACE.svc. The server reads the Secret again when it changes.
                Without --ca-file put the CA into the caBundle of both definitions and both webhook configurations yourself.

The namespace is among the manifests, labelled for the restricted Pod Security standard: let nobody else live in it.
Applying the manifests again changes nothing, and leaves alone the caBundle that others have written.

To uninstall, see docs/quick-start.md: deleting the definitions deletes all claims.

Exit code: 0 the manifests are written, 1 they could not be written, 2 the command line is wrong.`

const manifestsExample = `  # For a cluster with cert-manager that does not serve resource.k8s.io
  claimbridge manifests | kubectl apply --server-side -f -

  # For any cluster: a group of one's own, certificates of the server's own
  claimbridge manifests --group=claims.example.com --certificates=self | kubectl apply --server-side -f -

  # With an image of one's own
  claimbridge manifests --image="$(ko build ./cmd/claimbridge)" | kubectl apply --server-side -f -

  # What would change?
  claimbridge manifests | kubectl diff --server-side -f -

  # For the Prometheus operator
  claimbridge manifests --only=monitor | kubectl apply --server-side -f -`

type manifestsOptions struct {
	group, namespace, image    string
	certificates, caFile, only string
}

func newManifestsCommand() *cobra.Command {
	var o manifestsOptions
	cmd := &cobra.Command{
		Use:     "manifests",
		Short:   "Write the manifests that install claimbridge in a cluster",
		Long:    manifestsLong,
		Example: manifestsExample,
		Args:    cobra.NoArgs,
	}
	var sets cliflag.NamedFlagSets
	fs := sets.FlagSet("manifests")
	fs.StringVar(&o.group, "group", config.DefaultGroup, "API group of the claims; one of your own where the API server serves resource.k8s.io itself")
	fs.StringVar(&o.namespace, "namespace", config.DefaultNamespace, "namespace of the server")
	fs.StringVar(&o.image, "image", config.DefaultImage, "image of the server, best with a digest")
	fs.StringVar(&o.certificates, "certificates", string(config.CertManager), "who makes certificates: cert-manager, self or files")
	fs.StringVar(&o.caFile, "ca-file", "", "file with the CA of the serving certificate (PEM), with --certificates=files")
	fs.StringVar(&o.only, "only", "", "one part: crds, server, webhooks, or monitor, which is a ServiceMonitor for the Prometheus operator. Default: all but monitor")
	setFlags(cmd, &sets)
	for flag, values := range map[string][]string{
		"certificates": {string(config.CertManager), string(config.Self), string(config.Files)},
		"only":         {string(config.CRDsPart), string(config.ServerPart), string(config.WebhooksPart), string(config.MonitorPart)},
	} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails only for flags that are not there
	}
	cmd.RunE = begin(o.run)
	return cmd
}

func (o *manifestsOptions) run(cmd *cobra.Command) error {
	options, err := o.config()
	if err != nil {
		return err
	}
	manifests, err := config.Manifests(options)
	if err != nil {
		return usagef("%w", err)
	}
	if options.Group == config.DefaultGroup && options.Only != config.MonitorPart {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: only for clusters whose API server does not serve %s itself; see 'claimbridge manifests --help'\n", options.Group)
	}
	_, err = cmd.OutOrStdout().Write(manifests)
	return err
}

// config gives the options of the manifests. There the zero value of each means its default; an empty flag is a mistake,
// a variable of a script that is not set.
func (o *manifestsOptions) config() (config.Options, error) {
	for _, flag := range []struct{ name, value string }{
		{"group", o.group}, {"namespace", o.namespace}, {"image", o.image}, {"certificates", o.certificates},
	} {
		if flag.value == "" {
			return config.Options{}, usagef("--%s must not be empty", flag.name)
		}
	}
	options := config.Options{
		Group: o.group, Namespace: o.namespace, Image: o.image,
		Certificates: config.Certificates(o.certificates), Only: config.Part(o.only),
	}
	if o.caFile != "" {
		bundle, err := os.ReadFile(o.caFile)
		if err != nil {
			return config.Options{}, usagef("--ca-file: %w", err)
		}
		options.CABundle = append([]byte{}, bundle...) // an empty file is not no file
	}
	return options, nil
}
