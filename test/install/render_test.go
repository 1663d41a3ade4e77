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

var modes = []config.Certificates{config.CertManager, config.Self, config.Files}

// exact values remove what only the chart has, and add what helm leaves to the user.
var exact = map[string]string{"createNamespace": "true", "image.tag": imageTag}

// The chart and claimbridge manifests return the same objects for all options.
func TestChartsRenderTheManifests(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	ca, file := caFile(t)
	renders := map[string]render{}
	for _, mode := range modes {
		for name, options := range map[string]config.Options{
			"defaults":               {Group: "claims.example.com"},
			"the group in the tree":  {Group: "resource.k8s.io", Namespace: "claims"},
			"a group of numbers":     {Group: "1.2", Namespace: "1e3"},
			"a group of kubernetes":  {Group: "claims.kubernetes.io", Namespace: "off"},
			"a group that ends like": {Group: "notk8s.io", Namespace: "0"},
		} {
			options.Certificates = mode
			renders[string(mode)+", "+name] = renderOf(options, nil)
		}
		for _, part := range []config.Part{config.MonitorPart, config.AlertsPart, config.DashboardPart} {
			renders[string(mode)+", "+string(part)] = renderOf(config.Options{
				Group: "a.b", Namespace: "claims", Certificates: mode,
			}, map[string]string{string(part) + ".enabled": "true"}, part)
		}
	}
	group := config.Options{Group: "claims.example.com", Namespace: "claims"}
	with := func(change func(*config.Options), values map[string]string) render {
		o := group
		change(&o)
		return renderOf(o, values)
	}
	maps.Copy(renders, map[string]render{
		"some versions": with(func(o *config.Options) {
			o.Versions = []string{"v1alpha3", "v1beta1"}
		}, map[string]string{"versions": "{v1beta1,v1alpha3}"}),
		"v1 alone": with(func(o *config.Options) {
			o.Versions = []string{"v1"}
		}, map[string]string{"versions": "{v1}"}),
		"rules of a release": with(func(o *config.Options) {
			o.KubernetesRelease = "1.34"
		}, map[string]string{"kubernetesRelease": "1.34"}),
		"an image": with(func(o *config.Options) { o.Image = "localhost:5000/a/b:v2" }, map[string]string{
			"image.repository": "localhost:5000/a/b", "image.tag": "v2",
		}),
		"a digest": with(func(o *config.Options) { o.Image = "a/b@" + digest }, map[string]string{
			"image.repository": "a/b", "image.tag": "", "image.digest": digest,
		}),
		"a tag and a digest": with(func(o *config.Options) { o.Image = "a:v1@" + digest }, map[string]string{
			"image.repository": "a", "image.tag": "v1", "image.digest": digest,
		}),
		"a policy": with(func(o *config.Options) {
			o.AdmissionPolicy = true
			o.Certificates = config.Self
		}, map[string]string{"admissionPolicy": "true"}),
		"admin access": with(func(o *config.Options) {
			o.AdminAccessPolicy = true
		}, map[string]string{"adminAccessPolicy": "true"}),
		"admin access, less": with(func(o *config.Options) {
			o.AdminAccessPolicy = true
			o.Versions = []string{"v1"}
		}, map[string]string{"adminAccessPolicy": "true", "versions": "{v1}"}),
		"a CA": with(func(o *config.Options) {
			o.CABundle = ca.Certificate
			o.Certificates = config.Files
		}, map[string]string{"caBundle": "@" + file}),
	})
	for _, release := range releases {
		h := newHelm(t, release)
		for name, r := range renders {
			t.Run(release+", "+name, func(t *testing.T) {
				t.Parallel()
				want, args := r(t)
				got := objects(t, h.run(t, append([]string{"template", "any-name"}, args...)...))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("what the manifests have and the chart has not (-), and the other way round (+):\n%s",
						diff)
				}
			})
		}
	}
}

// render gives what manifests write, and the arguments by which helm gives the same.
type render func(t *testing.T) (want map[string]map[string]any, args []string)

func renderOf(o config.Options, values map[string]string, also ...config.Part) render {
	return func(t *testing.T) (map[string]map[string]any, []string) {
		o := o // which is changed below, and asked for again
		stream := string(must.Get(config.Manifests(o))(t))
		for _, o.Only = range also {
			stream += "---\n" + string(must.Get(config.Manifests(o))(t))
		}
		return objects(t, stream), arguments(o.Namespace, values, map[string]string{
			"group":            o.Group,
			"certificates":     certificatesValue(o.Certificates),
			"definitions.keep": "false",
		})
	}
}

func certificatesValue(mode config.Certificates) string {
	if mode == "" {
		return string(config.CertManager)
	}
	return string(mode)
}

func arguments(namespace string, values ...map[string]string) []string {
	if namespace == "" {
		namespace = config.DefaultNamespace
	}
	args := append([]string{chartFolder, "--namespace=" + namespace}, set(exact)...)
	for _, some := range values {
		for name, value := range some {
			if file, ok := strings.CutPrefix(value, "@"); ok {
				args = append(args, "--set-file="+name+"="+file)
				continue
			}
			args = append(args, set(map[string]string{name: value})...)
		}
	}
	return args
}

// caFile has a CA.
func caFile(t *testing.T) (ca *certs.Authority, file string) {
	t.Helper()
	ca, file = certs.New(t, "a CA", certs.Day), filepath.Join(t.TempDir(), "ca.crt")
	must.Do(t, os.WriteFile(file, ca.Certificate, 0o600))
	return ca, file
}
