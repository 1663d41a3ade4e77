//go:build e2e

package install

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var certificateSources = []config.Certificates{config.CertManager, config.Self, config.Files}

// baseValues are the values with which the chart renders the same objects as claimbridge manifests by default.
var baseValues = map[string]string{"createNamespace": "true", "image.tag": imageTag, "definitions.keep": "false"}

// The chart and claimbridge manifests render the same objects for all options.
func TestChartsRenderTheManifests(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	ca, file := newCAFile(t)
	cases := map[string]renderCase{}
	for _, certificates := range certificateSources {
		for name, options := range map[string]config.Options{
			"defaults":                    {Group: "claims.example.com"},
			"built-in group":              {Group: "resource.k8s.io", Namespace: "claims"},
			"numeric group":               {Group: "1.2", Namespace: "1e3"},
			"group of kubernetes.io":      {Group: "claims.kubernetes.io", Namespace: "off"},
			"group that ends with k8s.io": {Group: "notk8s.io", Namespace: "0"},
		} {
			options.Certificates = certificates
			cases[string(certificates)+", "+name] = renderCase{options: options}
		}
		for _, part := range []config.Part{config.MonitorPart, config.AlertsPart, config.DashboardPart} {
			cases[string(certificates)+", "+string(part)] = renderCase{
				options:   config.Options{Group: "a.b", Namespace: "claims", Certificates: certificates},
				values:    map[string]string{string(part) + ".enabled": "true"},
				extraPart: part,
			}
		}
	}
	with := func(change func(*config.Options), values map[string]string) renderCase {
		o := config.Options{Group: "claims.example.com", Namespace: "claims"}
		change(&o)
		return renderCase{options: o, values: values}
	}
	maps.Copy(cases, map[string]renderCase{
		"some versions": with(func(o *config.Options) {
			o.Versions = []string{"v1alpha3", "v1beta1"}
		}, map[string]string{"versions": "{v1beta1,v1alpha3}"}),
		"only v1": with(func(o *config.Options) {
			o.Versions = []string{"v1"}
		}, map[string]string{"versions": "{v1}"}),
		"Kubernetes release": with(func(o *config.Options) {
			o.KubernetesRelease = "1.34"
		}, map[string]string{"kubernetesRelease": "1.34"}),
		"image": with(func(o *config.Options) { o.Image = "localhost:5000/a/b:v2" }, map[string]string{
			"image.repository": "localhost:5000/a/b", "image.tag": "v2",
		}),
		"digest": with(func(o *config.Options) { o.Image = "a/b@" + digest }, map[string]string{
			"image.repository": "a/b", "image.tag": "", "image.digest": digest,
		}),
		"tag and digest": with(func(o *config.Options) { o.Image = "a:v1@" + digest }, map[string]string{
			"image.repository": "a", "image.tag": "v1", "image.digest": digest,
		}),
		"admission policy": with(func(o *config.Options) {
			o.AdmissionPolicy = true
			o.Certificates = config.Self
		}, map[string]string{"admissionPolicy": "true"}),
		"admin access policy": with(func(o *config.Options) {
			o.AdminAccessPolicy = true
		}, map[string]string{"adminAccessPolicy": "true"}),
		"admin access policy, only v1": with(func(o *config.Options) {
			o.AdminAccessPolicy = true
			o.Versions = []string{"v1"}
		}, map[string]string{"adminAccessPolicy": "true", "versions": "{v1}"}),
		"CA bundle": with(func(o *config.Options) {
			o.CABundle = ca.Certificate
			o.Certificates = config.Files
		}, map[string]string{"caBundle": "@" + file}),
	})
	for _, helmVersion := range helmVersions {
		h := newHelm(t, helmVersion)
		for name, r := range cases {
			t.Run(helmVersion+", "+name, func(t *testing.T) {
				t.Parallel()
				want := objectsByTitle(t, r.manifests(t))
				got := objectsByTitle(t, h.run(t, append([]string{"template", "any-name"}, r.chartArgs()...)...))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("objects of the chart (-manifests +chart):\n%s", diff)
				}
			})
		}
	}
}

// renderCase has options of claimbridge manifests, and values for which the chart renders the same objects.
type renderCase struct {
	options config.Options
	values  map[string]string // for setFlags
	// extraPart is a part that claimbridge manifests writes only if it is requested; it may be empty.
	extraPart config.Part
}

// manifests returns what claimbridge manifests writes.
func (r renderCase) manifests(t *testing.T) string {
	t.Helper()
	o := r.options
	stream := string(must.Get(config.Manifests(o))(t))
	if r.extraPart == "" {
		return stream
	}
	o.Only = r.extraPart
	return stream + "---\n" + string(must.Get(config.Manifests(o))(t))
}

// chartArgs returns the arguments of helm for the chart and its values.
func (r renderCase) chartArgs() []string {
	namespace := r.options.Namespace
	if namespace == "" {
		namespace = config.DefaultNamespace
	}
	certificates := r.options.Certificates
	if certificates == "" {
		certificates = config.CertManager
	}
	values := maps.Clone(baseValues)
	values["group"] = r.options.Group
	values["certificates"] = string(certificates)
	maps.Copy(values, r.values)
	return append([]string{chartFolder, "--namespace=" + namespace}, setFlags(values)...)
}

// newCAFile returns a CA and the path of a file with its certificate.
func newCAFile(t *testing.T) (ca *certs.Authority, file string) {
	t.Helper()
	ca = certs.New(t, "a CA", certs.Day)
	file = filepath.Join(t.TempDir(), "ca.crt")
	must.Do(t, os.WriteFile(file, ca.Certificate, 0o600))
	return ca, file
}
