package cli

import (
	"cmp"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/internal/build"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/validation"
)

type manifestsOptions struct {
	config.Options
	caFile  string
	force   bool
	cluster *clusterFlags
}

func newManifestsCommand() *cobra.Command {
	o := manifestsOptions{cluster: newClusterFlags()}
	c := newCommand("manifests", "Print the manifests that install claimbridge in a cluster", cobra.NoArgs, o.run)
	fs := c.FlagSet("manifests")
	fs.StringVar(&o.Group, "group", "",
		"API group of the claims (required); use your own if the API server serves resource.k8s.io itself")
	fs.BoolVar(&o.force, "force", false, "print the manifests even if the cluster serves the group itself")
	fs.StringVar(&o.Namespace, "namespace", config.DefaultNamespace, "namespace of the server")
	fs.StringVar(&o.Image, "image", releasedImage(), "image of the server, preferably with a digest "+
		"(required for the server if this build is not a release)")
	fs.StringVar((*string)(&o.Certificates), "certificates", string(config.CertManager),
		"who issues certificates: cert-manager, self or files")
	fs.StringVar(&o.caFile, "ca-file", "",
		"file with the CA of the serving certificate (PEM), for --certificates=files")
	fs.BoolVar(&o.AdmissionPolicy, "admission-policy", false,
		"add a ValidatingAdmissionPolicy that allows the server to change only the caBundle, for "+
			"--certificates=self and Kubernetes 1.30 or later")
	fs.BoolVar(&o.AdminAccessPolicy, "admin-access-policy", false,
		"add a ValidatingAdmissionPolicy that allows claims with adminAccess only in namespaces with the label "+
			"resource.kubernetes.io/admin-access: \"true\", for Kubernetes 1.30 or later")
	fs.StringSliceVar(&o.Versions, "versions", nil,
		"served versions of claims; "+api.Stored().Name+
			", the stored version, is always served (default all). Each one costs API servers a cache of all claims.")
	fs.StringVar(&o.KubernetesRelease, "kubernetes-release", "",
		"Kubernetes release whose rules apply to the versions that it serves, such as 1.34. Other versions use "+
			"their defaults, which 'claimbridge validate --help' lists")
	fs.StringVar((*string)(&o.Only), "only", "",
		"print one part: crds, roles, server or webhooks; monitor, a ServiceMonitor, or alerts, a PrometheusRule, "+
			"for the Prometheus operator; dashboard, a ConfigMap for Grafana (default all except these three)")
	o.cluster.addFlags(c)
	c.completeWith("certificates", certificateModes...)
	c.completeWith("only", partNames()...)
	c.completeWith("versions", api.Names()...)
	c.completeWith("kubernetes-release", validation.AllReleases()...)
	return c.build()
}

func (o *manifestsOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	manifests, err := config.Manifests(o.Options)
	if err != nil {
		return usagef("%w", err)
	}
	if err := o.validateGroup(cmd); err != nil {
		return err
	}
	release.WriteNote(cmd.ErrOrStderr(), o.KubernetesRelease)
	_, err = cmd.OutOrStdout().Write(manifests)
	return err
}

// check returns a usage error for invalid flags, and reads the CA file. An empty value is an error although the zero
// value in config.Options means the default: it usually comes from a script whose variable is not set.
func (o *manifestsOptions) check(cmd *cobra.Command) error {
	hasServer := o.Only == "" || o.Only == config.ServerPart
	if err := cmp.Or(
		usageErrorIf(o.Group == "" && !o.Only.IsMonitoring(),
			"--group is required: use your own group, such as claims.example.com, or %s if the API server doesn't "+
				"serve it itself",
			config.DefaultGroup),
		usageErrorIf(o.Namespace == "", "--namespace must not be empty"),
		usageErrorIf(o.Image == "" && cmd.Flags().Changed("image"), "--image must not be empty"),
		usageErrorIf(o.Certificates == "", "--certificates must not be empty"),
		usageErrorIf(o.Versions != nil && len(o.Versions) == 0 || slices.Contains(o.Versions, ""),
			"--versions must not be empty or contain an empty name"),
		usageErrorIf(!slices.Contains(certificateModes, string(o.Certificates)),
			"--certificates=%.100s: must be %s", o.Certificates, oneOf(certificateModes)),
		usageErrorIf(o.Only != "" && !slices.Contains(config.Parts, o.Only),
			"--only=%.100s: must be %s", o.Only, oneOf(partNames())),
		usageErrorIf(o.Image == "" && hasServer,
			"--image is required: this build is not a release, so its image is not published; "+
				"push one with 'make image-push IMG=registry.example.com/claimbridge:TAG', then set --image"),
		normalizeRelease(&o.KubernetesRelease),
	); err != nil {
		return err
	}
	for _, version := range o.Versions {
		if !slices.Contains(api.Names(), version) {
			return usagef("--versions: version %.100q: must be %s", version, oneOf(api.Names()))
		}
	}
	if o.caFile == "" {
		return nil
	}
	bundle, err := os.ReadFile(o.caFile)
	if err != nil {
		return usagef("--ca-file: %w", err)
	}
	o.CABundle = append([]byte{}, bundle...) // not nil for an empty file, which is then rejected
	return nil
}

// releasedImage returns the published image of this release, or "" if this build is not a release.
func releasedImage() string {
	if !build.Released() {
		return ""
	}
	return build.Image(config.DefaultImage)
}

// certificateModes are the values of --certificates.
var certificateModes = []string{string(config.CertManager), string(config.Self), string(config.Files)}

// partNames returns the values of --only.
func partNames() (names []string) {
	for _, part := range config.Parts {
		names = append(names, string(part))
	}
	return names
}
