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

// example of a chapter of the page.
func example(t *testing.T, chapter string) string {
	t.Helper()
	text := must.Get(os.ReadFile(chartPage))(t)
	_, rest, _ := strings.Cut(string(text), "\n## "+chapter+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	_, rest, _ = strings.Cut(rest, "\n```yaml\n")
	example, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatalf("%s has no example of %s", chartPage, chapter)
	}
	return example
}

// helmRelease of Flux, as far as it speaks of us.
type helmRelease struct {
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

// application of Argo CD, as far as it speaks of us.
type application struct {
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

func parsed[T any](t *testing.T, text string) (object T) {
	t.Helper()
	must.Do(t, yaml.Unmarshal([]byte(text), &object))
	return object
}

// examplesOfGitOps: an API server with the definitions of Flux and Argo CD takes the page's
// examples, and none with a field that there is not. The tools do not run here: what they say of a
// source and a chart is theirs; that both are there and the values are the chart's is looked at.
// TestTheTagIsTheSameEverywhere looks at their tags.
func (c *cluster) examplesOfGitOps(t *testing.T) {
	c.Kubectl(t, []byte(fluxDefinitions(t)), "apply", "--server-side", "-f", "-")
	c.Kubectl(t, []byte(argoDefinition(t)), "apply", "--server-side", "-f", "-")
	c.established(t, "helmreleases.helm.toolkit.fluxcd.io", "gitrepositories.source.toolkit.fluxcd.io",
		"applications.argoproj.io")
	c.Kubectl(t, nil, "create", "namespace", "flux-system")
	c.Kubectl(t, nil, "create", "namespace", "argocd")
	flux, argo := example(t, "Flux"), example(t, "Argo CD")
	for name, text := range map[string]string{"Flux": flux, "Argo CD": argo} {
		for _, field := range []string{"ignore:", "ignoreDifferences:", "sourceRef:", "syncOptions:"} {
			if wrong := strings.Replace(text, " "+field, " x"+field, 1); wrong != text {
				// once discovery has its kind
				c.says(t, "unknown field", wrong, "create", "--validate=strict", "--dry-run=server", "-f", "-")
			}
		}
		output, err := c.TryKubectl(t.Context(), []byte(text), "create", "--validate=strict", "-f", "-")
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}

	_, release, _ := strings.Cut(flux, "\n---\n")
	ofFlux, ofArgo := parsed[helmRelease](t, release).Spec, parsed[application](t, argo).Spec
	for name, test := range map[string]struct {
		chart  string
		values map[string]any
	}{
		"Flux":    {ofFlux.Chart.Spec.Chart, ofFlux.Values},
		"Argo CD": {ofArgo.Source.Path, ofArgo.Source.Helm.ValuesObject},
	} {
		values := must.Get(yaml.Marshal(test.values))(t)
		file := filepath.Join(t.TempDir(), "values.yaml")
		must.Do(t, os.WriteFile(file, values, 0o600))
		for _, helm := range releases {
			text := newHelm(t, helm).run(t, "template", "claimbridge", filepath.Join("../..", test.chart),
				"--namespace="+namespace, "--values="+file)
			if !strings.Contains(text, "resourceclaims.claims.example.com") {
				t.Errorf("%s, %s: there are no claims in\n%.500s", name, helm, text)
			}
		}
	}
}

// fluxDefinitions are made of the types of Flux's releases by the program that makes Flux's own.
func fluxDefinitions(t *testing.T) string {
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

// argoDefinition of an Application, as Argo CD's release has it. Its module has 55 MB.
func argoDefinition(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(module(t, "../definitions", "github.com/argoproj/argo-cd/v3"),
		"manifests/crds/application-crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
