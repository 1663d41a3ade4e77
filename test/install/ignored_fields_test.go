//go:build e2e

package install

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/await"
)

// fieldSelector selects the fields below a JSON pointer, in one object or, without a name, in all objects of a kind.
type fieldSelector struct{ kind, name, pointer string }

func (s fieldSelector) selects(field fieldSelector) bool {
	sameObject := s.kind == field.kind && (s.name == "" || s.name == field.name)
	return sameObject && (field.pointer == s.pointer || strings.HasPrefix(field.pointer, s.pointer+"/"))
}

// The examples of docs/chart.md ignore exactly the fields that the server changes in the installed objects. The tools
// must not revert these changes, and must report all others.
func TestIgnoredFieldsAreThoseThatTheServerWrites(t *testing.T) {
	t.Parallel()
	_, release, _ := strings.Cut(chartPageExample(t, "Flux"), "\n---\n")
	ignored := map[string][]fieldSelector{} // by tool
	for _, i := range parseYAML[fluxHelmRelease](t, release).Spec.DriftDetection.Ignore {
		for _, path := range i.Paths {
			ignored["Flux"] = append(ignored["Flux"], fieldSelector{i.Target.Kind, i.Target.Name, path})
		}
	}
	for _, i := range parseYAML[argoApplication](t, chartPageExample(t, "Argo CD")).Spec.IgnoreDifferences {
		for _, pointer := range i.JSONPointers {
			ignored["Argo CD"] = append(ignored["Argo CD"], fieldSelector{i.Kind, i.Name, pointer})
		}
	}
	c := newCluster(t, "")
	l := &lifecycle{
		installation: installation{c, chartHelm3, group, namespace},
		helm:         newHelm(t, programs.Helm3),
		port:         plane.Port(t),
	}
	l.helm.kubeconfig = c.Shell.Kubeconfig
	l.chart = chartWithPort(t, l.port)
	l.helm.run(t, append([]string{"install", "mine", "--create-namespace"}, l.chartArgs()...)...)
	l.redirectService(t)
	before := c.releaseFields(t, l.helm, "mine", namespace)
	l.startServer(t)
	defer l.stop()
	await.NoError(t, "the server writes its CA", func() error {
		if n := len(l.caBundles(t)); n != 4 {
			return fmt.Errorf("got %d objects with a caBundle, want 4", n)
		}
		return nil
	})
	written := changedFields(before, c.releaseFields(t, l.helm, "mine", namespace))
	if len(written) == 0 {
		t.Fatal("the server wrote no fields")
	}
	for tool, selectors := range ignored {
		checkIgnored(t, tool, selectors, written)
	}
}

// checkIgnored checks that the selectors of a tool select all written fields, and that each selects at least one.
func checkIgnored(t *testing.T, tool string, ignored, written []fieldSelector) {
	t.Helper()
	for _, field := range written {
		if !slices.ContainsFunc(ignored, func(s fieldSelector) bool { return s.selects(field) }) {
			t.Errorf("%s does not ignore %s of %s %s, which the server writes", tool, field.pointer, field.kind, field.name)
		}
	}
	for _, s := range ignored {
		if !slices.ContainsFunc(written, s.selects) {
			t.Errorf("%s ignores %s of %s %s, which the server does not write", tool, s.pointer, s.kind, s.name)
		}
	}
}

// releaseFields returns the fields of the objects of a Helm release as the API server stores them: first by object, and
// then by JSON pointer. It leaves out the status and the metadata that an API server writes in every object, because
// the tools do not compare them.
func (c *cluster) releaseFields(t *testing.T, h helm, release, namespace string) map[fieldSelector]map[string]string {
	t.Helper()
	all := map[fieldSelector]map[string]string{}
	for _, o := range c.liveObjects(t, h.run(t, "get", "manifest", release, "--namespace="+namespace)) {
		for _, field := range []string{"managedFields", "resourceVersion", "generation"} {
			unstructured.RemoveNestedField(o.Object, "metadata", field)
		}
		delete(o.Object, "status")
		leaves := map[string]string{}
		flatten("", o.Object, leaves)
		all[fieldSelector{kind: o.GetKind(), name: o.GetName()}] = leaves
	}
	return all
}

// flatten adds the leaves of a value by their JSON pointers.
func flatten(pointer string, value any, leaves map[string]string) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			flatten(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), member, leaves)
		}
	case []any:
		for i, member := range value {
			flatten(fmt.Sprintf("%s/%d", pointer, i), member, leaves)
		}
	default:
		leaves[pointer] = fmt.Sprint(value)
	}
}

// changedFields returns the fields that were added, changed or removed.
func changedFields(before, after map[fieldSelector]map[string]string) (changed []fieldSelector) {
	for object, leaves := range after {
		pointers := maps.Clone(leaves)
		maps.Copy(pointers, before[object])
		for pointer := range pointers {
			if before[object][pointer] != leaves[pointer] {
				changed = append(changed, fieldSelector{object.kind, object.name, pointer})
			}
		}
	}
	return changed
}
