//go:build e2e

package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const chartPage = "../../docs/chart.md"

// chartPageExample returns the YAML example in a section of docs/chart.md.
func chartPageExample(t *testing.T, section string) string {
	t.Helper()
	text := must.Get(os.ReadFile(chartPage))(t)
	_, rest, _ := strings.Cut(string(text), "\n## "+section+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	_, rest, _ = strings.Cut(rest, "\n```yaml\n")
	example, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatalf("%s has no YAML example in the section %q", chartPage, section)
	}
	return example
}

// fluxHelmRelease has the fields of a HelmRelease of Flux that the tests read.
type fluxHelmRelease struct {
	Spec struct {
		Chart struct {
			Spec struct{ Chart string }
		}
		DriftDetection struct {
			Ignore []struct {
				Target struct{ Kind, Name string }
				Paths  []string
			}
		}
		Values map[string]any
	}
}

// argoApplication has the fields of an Application of Argo CD that the tests read.
type argoApplication struct {
	Spec struct {
		Source struct {
			Path string
			Helm struct{ ValuesObject map[string]any }
		}
		IgnoreDifferences []struct {
			Group, Kind, Name string
			JSONPointers      []string `json:"jsonPointers"`
		}
	}
}

func parseYAML[T any](t *testing.T, text string) (object T) {
	t.Helper()
	must.Do(t, yaml.Unmarshal([]byte(text), &object))
	return object
}

// checkGitOpsExamples checks that an API server with the CRDs of Flux and Argo CD accepts the examples of
// docs/chart.md, that it rejects them with unknown fields, and that Helm renders the chart with their values. The test
// does not run Flux and Argo CD. TestTheTagIsTheSameEverywhere checks the tags in the examples.
func (c *cluster) checkGitOpsExamples(t *testing.T) {
	c.Kubectl(t, []byte(fluxCRDs(t)), "apply", "--server-side", "-f", "-")
	c.Kubectl(t, []byte(argoCRD(t)), "apply", "--server-side", "-f", "-")
	c.awaitEstablished(t, "helmreleases.helm.toolkit.fluxcd.io", "gitrepositories.source.toolkit.fluxcd.io",
		"applications.argoproj.io")
	c.Kubectl(t, nil, "create", "namespace", "flux-system")
	c.Kubectl(t, nil, "create", "namespace", "argocd")
	flux, argo := chartPageExample(t, "Flux"), chartPageExample(t, "Argo CD")
	for name, text := range map[string]string{"Flux": flux, "Argo CD": argo} {
		for _, field := range []string{"ignore:", "ignoreDifferences:", "sourceRef:", "syncOptions:"} {
			invalid := strings.Replace(text, " "+field, " x"+field, 1)
			if invalid != text { // the example has the field
				c.awaitOutput(t, "unknown field", invalid, "create", "--validate=strict", "--dry-run=server", "-f", "-")
			}
		}
		output, err := c.TryKubectl(t.Context(), []byte(text), "create", "--validate=strict", "-f", "-")
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}

	_, release, _ := strings.Cut(flux, "\n---\n")
	fluxSpec := parseYAML[fluxHelmRelease](t, release).Spec
	argoSpec := parseYAML[argoApplication](t, argo).Spec
	for name, test := range map[string]struct {
		chart  string
		values map[string]any
	}{
		"Flux":    {fluxSpec.Chart.Spec.Chart, fluxSpec.Values},
		"Argo CD": {argoSpec.Source.Path, argoSpec.Source.Helm.ValuesObject},
	} {
		values := must.Get(yaml.Marshal(test.values))(t)
		file := filepath.Join(t.TempDir(), "values.yaml")
		must.Do(t, os.WriteFile(file, values, 0o600))
		for _, helmVersion := range helmVersions {
			text := newHelm(t, helmVersion).run(t, "template", "claimbridge", filepath.Join("../..", test.chart),
				"--namespace="+namespace, "--values="+file)
			if !strings.Contains(text, "resourceclaims.claims.example.com") {
				t.Errorf("%s, %s: the rendered chart has no CRD of resourceclaims:\n%.500s", name, helmVersion, text)
			}
		}
	}
}

// fluxCRDs generates the CRDs of Flux from its types with controller-gen, as Flux does.
func fluxCRDs(t *testing.T) string {
	t.Helper()
	generate := exec.CommandContext(t.Context(), "go", "tool", "controller-gen", "crd",
		"paths=github.com/fluxcd/helm-controller/api/v2", "paths=github.com/fluxcd/source-controller/api/v1",
		"output:crd:stdout")
	generate.Dir = "../programs/tools"
	text, err := generate.Output()
	if err != nil {
		t.Fatalf("%v: %v", generate, err)
	}
	return string(text)
}

// argoCRD returns the CRD of Application from a release of Argo CD, whose module has 55 MB.
func argoCRD(t *testing.T) string {
	t.Helper()
	folder := moduleFolder(t, "../definitions", "github.com/argoproj/argo-cd/v3")
	return string(must.Get(os.ReadFile(filepath.Join(folder, "manifests/crds/application-crd.yaml")))(t))
}
