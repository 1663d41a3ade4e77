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
	config.Options
	caFile  string
	force   bool
	cluster *clusterFlags
}

func newManifestsCommand() *cobra.Command {
	o := manifestsOptions{cluster: newClusterFlags()}
	c := newCommand("manifests", "Write the manifests that install claimbridge in a cluster",
		manifestsLong, manifestsExample, cobra.NoArgs, o.run)
	fs := c.FlagSet("manifests")
	fs.StringVar(&o.Group, "group", "", "API group of the claims, required; one of your own where the API server serves resource.k8s.io itself")
	fs.BoolVar(&o.force, "force", false, "write the manifests although the cluster serves the group itself")
	fs.StringVar(&o.Namespace, "namespace", config.DefaultNamespace, "namespace of the server")
	fs.StringVar(&o.Image, "image", build.Image(config.DefaultImage), "image of the server, best with a digest")
	fs.StringVar((*string)(&o.Certificates), "certificates", string(config.CertManager), "who makes certificates: cert-manager, self or files")
	fs.StringVar(&o.caFile, "ca-file", "", "file with the CA of the serving certificate (PEM), with --certificates=files")
	fs.BoolVar(&o.AdmissionPolicy, "admission-policy", false, "add a ValidatingAdmissionPolicy that lets the server change nothing but the caBundle, with --certificates=self; for Kubernetes 1.30 or newer")
	fs.BoolVar(&o.AdminAccessPolicy, "admin-access-policy", false, "add a ValidatingAdmissionPolicy that allows claims with adminAccess only in namespaces with the label resource.kubernetes.io/admin-access: \"true\", as in-tree; for Kubernetes 1.30 or newer")
	fs.StringSliceVar(&o.Versions, "versions", nil, "versions of claims that are served; "+api.Stored().Name+", in which claims are stored, always is. Default: all. Each costs API servers a cache of all claims.")
	fs.StringVar(&o.KubernetesRelease, "kubernetes-release", "", "release of Kubernetes by whose rules the server judges writes in the versions that it served, like 1.34. Default, and for all other versions: that of each version, see 'claimbridge rules'")
	fs.StringVar((*string)(&o.Only), "only", "", "one part: crds, roles, server, webhooks; monitor or alerts, a ServiceMonitor or PrometheusRule for the Prometheus operator; dashboard, a ConfigMap for Grafana. Default: all but these three.")
	o.cluster.addFlags(c)
	c.takes("certificates", certificateModes...)
	c.takes("only", partNames()...)
	c.takes("versions", api.Names()...)
	c.takes("kubernetes-release", validation.AllReleases()...)
	return c.whole()
}

func (o *manifestsOptions) run(cmd *cobra.Command) error {
	if err := o.check(); err != nil {
		return err
	}
	manifests, err := config.Manifests(o.Options)
	if err != nil {
		return usagef("%w", err)
	}
	if err := o.checkGroup(cmd); err != nil {
		return err
	}
	release.Note(cmd.ErrOrStderr(), o.KubernetesRelease)
	_, err = cmd.OutOrStdout().Write(manifests)
	return err
}

// check the flags. In options of manifests the zero value of most means a default; an empty flag is a mistake, a variable of a
// script that is not set.
func (o *manifestsOptions) check() error {
	if o.Group == "" && !o.Only.Watches() {
		return usagef("--group is required: one of your own, like claims.example.com, is good for every cluster; %s only for one whose API server does not serve it itself", config.DefaultGroup)
	}
	for _, flag := range []struct{ name, value string }{
		{"namespace", o.Namespace}, {"image", o.Image}, {"certificates", string(o.Certificates)},
	} {
		if flag.value == "" {
			return usagef("--%s must not be empty", flag.name)
		}
	}
	if o.Versions != nil && len(o.Versions) == 0 || slices.Contains(o.Versions, "") {
		return usagef("--versions must not be empty, nor have an empty name")
	}
	if err := o.checkNames(); err != nil {
		return err
	}
	if o.caFile == "" {
		return nil
	}
	bundle, err := os.ReadFile(o.caFile)
	if err != nil {
		return usagef("--ca-file: %w", err)
	}
	o.CABundle = append([]byte{}, bundle...) // an empty file is not no file
	return nil
}

// certificateModes, as flags name them.
var certificateModes = []string{string(config.CertManager), string(config.Self), string(config.Files)}

// checkNames of which there are few.
func (o *manifestsOptions) checkNames() error {
	for _, version := range o.Versions {
		if !slices.Contains(api.Names(), version) {
			return usagef("--versions: version %.100q: must be one of %s", version, strings.Join(api.Names(), ", "))
		}
	}
	if !slices.Contains(certificateModes, string(o.Certificates)) {
		return usagef("--certificates=%.100s: must be one of %s", o.Certificates, strings.Join(certificateModes, ", "))
	}
	if parts := partNames(); o.Only != "" && !slices.Contains(parts, string(o.Only)) {
		return usagef("--only=%.100s: must be one of %s", o.Only, strings.Join(parts, ", "))
	}
	return judge(&o.KubernetesRelease)
}

func partNames() (names []string) {
	for _, part := range config.Parts {
		names = append(names, string(part))
	}
	return names
}
