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

// rule of what a tool ignores: fields of all objects of a kind, or of one.
type rule struct{ kind, name, pointer string }

func (r rule) covers(of rule) bool {
	return r.kind == of.kind && (r.name == "" || r.name == of.name) && (of.pointer == r.pointer ||
		strings.HasPrefix(of.pointer, r.pointer+"/"))
}

// The examples of the page ignore exactly the fields that the server changes in its own objects. Other changes must be
// visible, and these must not be reverted.
func TestIgnoredFieldsAreThoseThatTheServerWrites(t *testing.T) {
	t.Parallel()
	_, release, _ := strings.Cut(example(t, "Flux"), "\n---\n")
	rules := map[string][]rule{}
	for _, i := range parsed[helmRelease](t, release).Spec.DriftDetection.Ignore {
		for _, path := range i.Paths {
			rules["Flux"] = append(rules["Flux"], rule{i.Target.Kind, i.Target.Name, path})
		}
	}
	for _, i := range parsed[application](t, example(t, "Argo CD")).Spec.IgnoreDifferences {
		for _, pointer := range i.JSONPointers {
			rules["Argo CD"] = append(rules["Argo CD"], rule{i.Kind, i.Name, pointer})
		}
	}
	c := start(t, "")
	l := &life{
		installation: installation{c, chartHelm3, group, namespace},
		h:            newHelm(t, programs.Helm3),
		port:         plane.Port(t),
	}
	l.h.kubeconfig, l.chart = c.Shell.Kubeconfig, reachable(t, l.port)
	l.h.run(t, append([]string{"install", "mine", "--create-namespace"}, l.values()...)...)
	l.here(t)
	before := c.liveIn(t, l.h, "mine", namespace)
	l.serves(t)
	defer l.stop()
	await.NoError(t, "the server writes its CA", func() error {
		if n := len(l.bundles(t)); n != 4 {
			return fmt.Errorf("into %d objects, not 4", n)
		}
		return nil
	})
	written := changed(before, c.liveIn(t, l.h, "mine", namespace))
	for tool, ignored := range rules {
		covered(t, tool, ignored, written)
	}
}

// covered is what was written, by rules of which each covers something.
func covered(t *testing.T, tool string, rules, written []rule) {
	t.Helper()
	if len(written) == 0 {
		t.Fatalf("%s: nothing was written", tool)
	}
	for _, w := range written {
		if !slices.ContainsFunc(rules, func(r rule) bool { return r.covers(w) }) {
			t.Errorf("%s does not ignore %s of %s %s, which the server writes", tool, w.pointer, w.kind, w.name)
		}
	}
	for _, r := range rules {
		if !slices.ContainsFunc(written, r.covers) {
			t.Errorf("%s ignores %s of %s %s, which no client writes", tool, r.pointer, r.kind, r.name)
		}
	}
}

// liveIn a namespace are the objects of a release, by what they are called, each as its leaves by
// their pointers. What an API server writes into every object, and what is a status, no tool
// compares.
func (c *cluster) liveIn(t *testing.T, h helm, release, namespace string) map[rule]map[string]string {
	t.Helper()
	all := map[rule]map[string]string{}
	for _, o := range c.stored(t, h.run(t, "get", "manifest", release, "--namespace="+namespace)) {
		for _, field := range []string{"managedFields", "resourceVersion", "generation"} {
			unstructured.RemoveNestedField(o.Object, "metadata", field)
		}
		delete(o.Object, "status")
		leaves := map[string]string{}
		flatten("", o.Object, leaves)
		all[rule{kind: o.GetKind(), name: o.GetName()}] = leaves
	}
	return all
}

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

// changed leaves of objects.
func changed(before, after map[rule]map[string]string) (all []rule) {
	for id, leaves := range after {
		pointers := maps.Clone(leaves)
		maps.Copy(pointers, before[id])
		for pointer := range pointers {
			if was, is := before[id][pointer], leaves[pointer]; was != is {
				all = append(all, rule{id.kind, id.name, pointer})
			}
		}
	}
	return all
}
