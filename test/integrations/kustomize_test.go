//go:build e2e

package integrations

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/docs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// workloads have containers with and without env and volumeMounts, to which the component adds items.
//
//go:embed testdata/workloads.yaml
var workloads string

// renderWithComponent renders objects with the kustomize component in config/components/bridge.
func renderWithComponent(t *testing.T, resources string) string {
	t.Helper()
	kustomize := tool(t, programs.Kustomize)
	root := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(root, "bridge"), 0o700))
	for _, file := range must.Get(filepath.Glob("../../config/components/bridge/*.yaml"))(t) {
		copyFile(t, file, filepath.Join(root, "bridge", filepath.Base(file)))
	}
	files := map[string]string{
		"resources.yaml":     resources,
		"kustomization.yaml": "resources: [resources.yaml]\ncomponents: [bridge]\n",
	}
	for file, text := range files {
		must.Do(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o600))
	}
	rendered, err := exec.CommandContext(t.Context(), kustomize, "build", root).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, rendered)
	}
	return string(rendered)
}

// TestComponentAddsDocumentedSidecar checks that the component adds the sidecar in docs/bridge.md to workloads.
func TestComponentAddsDocumentedSidecar(t *testing.T) {
	var documented corev1.Pod
	must.Do(t, yaml.UnmarshalStrict([]byte(docs.YAML(t, "bridge.md", "kind: Pod\n")), &documented))
	before := podTemplates(t, workloads)
	after := podTemplates(t, renderWithComponent(t, workloads))
	if len(before) == 0 || len(before) != len(after) {
		t.Fatalf("got %d workloads, want %d, and not 0", len(after), len(before))
	}
	for name, spec := range before {
		want := withSidecar(spec, documented.Spec)
		if diff := cmp.Diff(want, after[name], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("pod spec of the %s differs (-docs/bridge.md +kustomize):\n%s", name, diff)
		}
	}
}

// podTemplates returns the pod specs of the workloads in a stream, by kind.
func podTemplates(t *testing.T, stream string) map[string]corev1.PodSpec {
	t.Helper()
	specs := map[string]corev1.PodSpec{}
	for document := range strings.SplitSeq(stream, "\n---\n") {
		var workload struct {
			Kind string
			Spec struct{ Template corev1.PodTemplateSpec }
		}
		must.Do(t, yaml.Unmarshal([]byte(document), &workload))
		if len(workload.Spec.Template.Spec.Containers) > 0 {
			specs[workload.Kind] = workload.Spec.Template.Spec
		}
	}
	return specs
}

// withSidecar returns a pod spec with the documented sidecar, and the fields that the sidecar needs.
func withSidecar(spec, documented corev1.PodSpec) corev1.PodSpec {
	spec.InitContainers = documented.InitContainers
	spec.Volumes = documented.Volumes
	spec.Containers = slices.Clone(spec.Containers)
	for i := range spec.Containers {
		c := &spec.Containers[i]
		c.Env = append(slices.Clone(c.Env), documented.Containers[0].Env...)
		c.VolumeMounts = append(slices.Clone(c.VolumeMounts), documented.Containers[0].VolumeMounts...)
	}
	return spec
}
