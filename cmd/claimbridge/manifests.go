package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/internal/build"
	"github.com/claimbridge/claimbridge/validation"
)

const manifestsLong = `Write the manifests that install claimbridge in a cluster to standard output, for kubectl apply --server-side -f -.

--group has no default. A group of your own, like claims.example.com, works in every cluster, with the same API.

NEVER install the group resource.k8s.io where the API server serves any version of it itself, as Kubernetes 1.34 and later
do by default: every request for claims would be answered with 404, in all versions. For this group, and all others
that end with k8s.io, the command asks the cluster of your kubeconfig and refuses where it would do harm; --force writes the
manifests all the same, for another cluster. Where no cluster can be reached it writes them with a note. Nothing is asked
for a group of your own.

Certificates:

  cert-manager  has to be in the cluster; it makes the certificate and tells API servers its CA
  self          the server makes them itself, and nothing else is needed
  files         you make the Secret claimbridge-tls, and give the CA with --ca-file, or put it into
                the four caBundles yourself: docs/manifests.md has the commands

--versions says which versions of claims are served, when no client needs all of them: --versions=v1alpha3,v1beta1. Claims that are
stored in a version that is not served any more are still read, in the others.

The namespace is among the manifests, labelled for the restricted Pod Security standard: let nobody else live in it.
Applying the manifests again changes nothing, and leaves alone the caBundle that others have written.

To uninstall, see docs/operations.md: deleting the definitions deletes all claims.

Exit code: 0 the manifests are written, 1 they could not be written or the cluster serves the group itself, 2 the command
line is wrong.`

const manifestsExample = `  # For a cluster with cert-manager
  claimbridge manifests --group=claims.example.com | kubectl apply --server-side -f -

  # For any cluster of 1.30 or newer: certificates of the server's own
  claimbridge manifests --group=claims.example.com --certificates=self --admission-policy \
    | kubectl apply --server-side -f -

  # With an image of one's own
  claimbridge manifests --group=claims.example.com --image=example.com/claimbridge@sha256:... \
    | kubectl apply --server-side -f -

  # What would change?
  claimbridge manifests --group=claims.example.com | kubectl diff --server-side -f -

  # For the Prometheus operator
  claimbridge manifests --only=monitor | kubectl apply --server-side -f -
  claimbridge manifests --only=alerts | kubectl apply --server-side -f -`

type manifestsOptions struct {
	group, namespace, image    string
	certificates, caFile, only string
	versions                   []string
	release                    string
	policy, adminPolicy, force bool
	cluster                    *clusterFlags
}

func newManifestsCommand() *cobra.Command {
	o := manifestsOptions{cluster: newClusterFlags()}
	cmd := &cobra.Command{
		Use:     "manifests",
		Short:   "Write the manifests that install claimbridge in a cluster",
		Long:    manifestsLong,
		Example: manifestsExample,
		Args:    cobra.NoArgs,
	}
	var f flags
	fs := f.FlagSet("manifests")
	fs.StringVar(&o.group, "group", "", "API group of the claims, required; one of your own where the API server serves resource.k8s.io itself")
	fs.BoolVar(&o.force, "force", false, "write the manifests although the cluster serves the group itself")
	fs.StringVar(&o.namespace, "namespace", config.DefaultNamespace, "namespace of the server")
	fs.StringVar(&o.image, "image", build.Image(config.DefaultImage), "image of the server, best with a digest")
	fs.StringVar(&o.certificates, "certificates", string(config.CertManager), "who makes certificates: cert-manager, self or files")
	fs.StringVar(&o.caFile, "ca-file", "", "file with the CA of the serving certificate (PEM), with --certificates=files")
	fs.BoolVar(&o.policy, "admission-policy", false, "add a ValidatingAdmissionPolicy that lets the server change nothing but the caBundle, with --certificates=self; for Kubernetes 1.30 or newer")
	fs.BoolVar(&o.adminPolicy, "admin-access-policy", false, "add a ValidatingAdmissionPolicy that allows claims with adminAccess only in namespaces with the label resource.kubernetes.io/admin-access: \"true\", as in-tree; for Kubernetes 1.30 or newer")
	fs.StringSliceVar(&o.versions, "versions", nil, "versions of claims that are served; "+api.Stored().Name+", in which claims are stored, always is. Default: all. Each costs API servers a cache of all claims.")
	fs.StringVar(&o.release, "kubernetes-release", "", "release of Kubernetes by whose rules the server judges writes in the versions that it served, like 1.34. Default, and for all other versions: that of each version, see 'claimbridge rules'")
	fs.StringVar(&o.only, "only", "", "one part: crds, roles, server, webhooks; monitor or alerts, a ServiceMonitor or PrometheusRule for the Prometheus operator; dashboard, a ConfigMap for Grafana. Default: all but these three.")
	o.cluster.addFlags(f.FlagSet("cluster"))
	f.takes("certificates", certificateModes...)
	f.takes("only", partNames()...)
	f.takes("versions", api.Names()...)
	f.takes("kubernetes-release", validation.AllReleases()...)
	f.addTo(cmd)
	o.cluster.complete(cmd)
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
	if err := o.checkGroup(cmd); err != nil {
		return err
	}
	release.Note(cmd.ErrOrStderr(), o.release)
	_, err = cmd.OutOrStdout().Write(manifests)
	return err
}

// config gives the options of the manifests. There the zero value of most means a default; an empty flag is a mistake, a
// variable of a script that is not set.
func (o *manifestsOptions) config() (config.Options, error) {
	if o.group == "" && !config.Part(o.only).Watches() {
		return config.Options{}, usagef("--group is required: one of your own, like claims.example.com, is good for every cluster; %s only for one whose API server does not serve it itself", config.DefaultGroup)
	}
	for _, flag := range []struct{ name, value string }{
		{"namespace", o.namespace}, {"image", o.image}, {"certificates", o.certificates},
	} {
		if flag.value == "" {
			return config.Options{}, usagef("--%s must not be empty", flag.name)
		}
	}
	if o.versions != nil && len(o.versions) == 0 || slices.Contains(o.versions, "") {
		return config.Options{}, usagef("--versions must not be empty, nor have an empty name")
	}
	if err := o.checkNames(); err != nil {
		return config.Options{}, err
	}
	options := config.Options{
		Group: o.group, Namespace: o.namespace, Image: o.image,
		Certificates: config.Certificates(o.certificates), Only: config.Part(o.only),
		AdmissionPolicy: o.policy, AdminAccessPolicy: o.adminPolicy, Versions: o.versions, KubernetesRelease: o.release,
	}
	if o.caFile != "" {
		var err error
		if options.CABundle, err = o.bundle(); err != nil {
			return config.Options{}, err
		}
	}
	return options, nil
}

// bundle of the file that was named.
func (o *manifestsOptions) bundle() ([]byte, error) {
	bundle, err := os.ReadFile(o.caFile)
	if err != nil {
		return nil, usagef("--ca-file: %w", err)
	}
	return append([]byte{}, bundle...), nil // an empty file is not no file
}

// certificateModes, as flags name them.
var certificateModes = []string{string(config.CertManager), string(config.Self), string(config.Files)}

// checkNames of which there are few.
func (o *manifestsOptions) checkNames() error {
	for _, version := range o.versions {
		if !slices.Contains(api.Names(), version) {
			return usagef("--versions: version %.100q: must be one of %s", version, strings.Join(api.Names(), ", "))
		}
	}
	if !slices.Contains(certificateModes, o.certificates) {
		return usagef("--certificates=%.100s: must be one of %s", o.certificates, strings.Join(certificateModes, ", "))
	}
	if parts := partNames(); o.only != "" && !slices.Contains(parts, o.only) {
		return usagef("--only=%.100s: must be one of %s", o.only, strings.Join(parts, ", "))
	}
	if o.release == "" {
		return nil
	}
	name, err := release.JudgeName(o.release)
	if err != nil {
		return usagef("--kubernetes-release: %w", err)
	}
	o.release = name
	return nil
}

func partNames() (names []string) {
	for _, part := range config.Parts {
		names = append(names, string(part))
	}
	return names
}
