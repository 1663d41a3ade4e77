//go:build e2e

package cluster

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Every verb of a typed client, in each release, while informers of all versions watch.
func TestTypedClients(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	typed := s.typedClients(t)
	for _, c := range typed {
		c.ask(t, question{"do": "watch"})
		c.ask(t, question{"do": "watch", "kind": templateKind})
	}
	for _, version := range versions {
		for _, kind := range []string{claimKind, templateKind} {
			t.Run(version+" "+kind, func(t *testing.T) {
				l := clientView{s, typed, kind, "of-" + version}
				l.everyVerb(t, version)
				if kind == claimKind {
					l.everyVerbOfStatus(t, version)
				}
				l.deletes(t, version)
			})
		}
	}
}

// clientView is one object, read by all clients.
type clientView struct {
	space
	typed      map[string]*typedClient
	kind, name string
}

func (l clientView) ask(t *testing.T, version string, q question) *object {
	t.Helper()
	q["kind"], q["name"] = l.kind, l.name
	answer := l.typed[version].ask(t, q)
	l.seen(t)
	return answer
}

// seen checks that every client has the object of the API server in its version, without fields that it does not know.
func (l clientView) seen(t *testing.T) {
	t.Helper()
	for version, c := range l.typed {
		raw := l.get(t, version, l.kind, l.name)
		unstructured.RemoveNestedField(raw.Object, "status", "claimbridgeLeftover")
		q := question{"do": "get", "kind": l.kind, "name": l.name}
		l.sameContent(t, c.release+" gets", c.ask(t, q), raw)
		q["do"], q["resourceVersion"] = "seen", raw.GetResourceVersion()
		l.sameContent(t, c.release+" has seen", c.ask(t, q), raw)
	}
}

func (s space) sameContent(t *testing.T, what string, got, want *object) {
	t.Helper()
	if !conversion.Equal(asJSON(t, content(got)), asJSON(t, content(want))) {
		t.Errorf("%s (-want +got):\n%s", what, cmp.Diff(content(want), content(got)))
	}
}

func asJSON(t testing.TB, value any) []byte {
	t.Helper()
	return must.Get(json.Marshal(value))(t)
}

func (l clientView) everyVerb(t *testing.T, version string) {
	sent := l.typical(t, version, l.kind, l.name)
	l.ask(t, version, question{"do": "create", "object": sent})
	updated := l.ask(t, version, question{"do": "update", "merge": labels("by", "update")})
	equal(t, "labels", updated.GetLabels(), map[string]string{"by": "update"})
	l.ask(t, version, question{
		"do":        "patch",
		"patchType": "application/merge-patch+json",
		"patch":     labels("and", "merge-patch"),
	})
	patched := l.ask(t, version, question{
		"do": "patch", "patchType": "application/json-patch+json",
		"patch": []any{map[string]any{"op": "remove", "path": "/metadata/labels/and"}},
	})
	equal(t, "labels", patched.GetLabels(), map[string]string{"by": "update"})

	applied := l.move(&object{Object: map[string]any{"spec": sent.Object["spec"]}}, version, l.kind, l.name)
	applied.SetLabels(map[string]string{"applied": "yes"})
	apply := question{"do": "apply", "object": applied, "manager": "typed"}
	first := l.ask(t, version, apply)
	if again := l.ask(t, version, apply); again.GetResourceVersion() != first.GetResourceVersion() {
		t.Error("to apply the same again is a change")
	}
	extracted := l.ask(t, version, question{"do": "extract", "merge": labels("extracted", "yes"), "manager": "typed"})
	equal(t, "labels", extracted.GetLabels(), map[string]string{"by": "update", "applied": "yes", "extracted": "yes"})
	list := l.typed[version].ask(t, question{"do": "list", "kind": l.kind})
	if items, _ := list.Object["items"].([]any); len(items) != 1 {
		t.Errorf("a list of %d objects, want 1", len(items))
	}
}

func (l clientView) everyVerbOfStatus(t *testing.T, version string) {
	want := l.typical(t, version, l.kind, l.name).Object["status"]
	status := map[string]any{"status": want}
	l.ask(t, version, question{"do": "updateStatus", "merge": status})
	equal(t, "status", projection(l.get(t, version, l.kind, l.name)), want)
	l.ask(t, version, question{
		"do":        "patchStatus",
		"patchType": "application/merge-patch+json",
		"patch":     map[string]any{"status": map[string]any{"reservedFor": nil}},
	})
	applied := l.move(&object{
		Object: map[string]any{
			"status": map[string]any{"reservedFor": nested(&object{Object: status}, "status", "reservedFor")},
		},
	}, version, l.kind, l.name)
	l.ask(t, version, question{"do": "applyStatus", "object": applied, "manager": "typed"})
	equal(t, "status", projection(l.get(t, version, l.kind, l.name)), want)
	l.ask(t, version, question{"do": "update", "merge": labels("with", "status")})
	equal(t, "status", projection(l.get(t, version, l.kind, l.name)), want)
}

func (l clientView) deletes(t *testing.T, version string) {
	l.typed[version].ask(t, question{"do": "delete", "kind": l.kind, "name": l.name})
	for _, c := range l.typed {
		c.ask(t, question{"do": "seen", "kind": l.kind, "name": l.name})
	}
}

func labels(name, value string) map[string]any {
	return map[string]any{"metadata": map[string]any{"labels": map[string]any{name: value}}}
}
