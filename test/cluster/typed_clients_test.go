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

// TestTypedClients runs every verb of a typed client, in each release, while informers of all versions watch.
func TestTypedClients(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := withoutBuiltIn.space(t)
	typed := s.typedClients(t)
	for _, c := range typed {
		c.run(t, operation{"do": "watch"})
		c.run(t, operation{"do": "watch", "kind": templateKind})
	}
	for _, version := range versions {
		for _, kind := range []string{claimKind, templateKind} {
			t.Run(version+" "+kind, func(t *testing.T) {
				l := clientView{s, typed, kind, "of-" + version}
				l.testVerbs(t, version)
				if kind == claimKind {
					l.testStatusVerbs(t, version)
				}
				l.testDelete(t, version)
			})
		}
	}
}

// clientView is an object that is read by all clients.
type clientView struct {
	space
	typed      map[string]*typedClient
	kind, name string
}

func (l clientView) ask(t *testing.T, version string, op operation) *object {
	t.Helper()
	op["kind"], op["name"] = l.kind, l.name
	response := l.typed[version].run(t, op)
	l.checkView(t)
	return response
}

// checkView checks that every client and its informer have the same object as the API server, without fields that their
// types lack.
func (l clientView) checkView(t *testing.T) {
	t.Helper()
	for version, c := range l.typed {
		want := l.get(t, version, l.kind, l.name)
		unstructured.RemoveNestedField(want.Object, "status", "claimbridgeLeftover")
		op := operation{"do": "get", "kind": l.kind, "name": l.name}
		l.sameContent(t, "get by "+c.release, c.run(t, op), want)
		op["do"], op["resourceVersion"] = "getCached", want.GetResourceVersion()
		l.sameContent(t, "informer of "+c.release, c.run(t, op), want)
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

func (l clientView) testVerbs(t *testing.T, version string) {
	sent := l.typicalObject(t, version, l.kind, l.name)
	l.ask(t, version, operation{"do": "create", "object": sent})
	updated := l.ask(t, version, operation{"do": "update", "merge": labels("by", "update")})
	equal(t, "labels", updated.GetLabels(), map[string]string{"by": "update"})
	l.ask(t, version, operation{
		"do":        "patch",
		"patchType": "application/merge-patch+json",
		"patch":     labels("and", "merge-patch"),
	})
	patched := l.ask(t, version, operation{
		"do": "patch", "patchType": "application/json-patch+json",
		"patch": []any{map[string]any{"op": "remove", "path": "/metadata/labels/and"}},
	})
	equal(t, "labels", patched.GetLabels(), map[string]string{"by": "update"})

	applied := l.inNamespace(&object{Object: map[string]any{"spec": sent.Object["spec"]}}, version, l.kind, l.name)
	applied.SetLabels(map[string]string{"applied": "yes"})
	apply := operation{"do": "apply", "object": applied, "manager": "typed"}
	first := l.ask(t, version, apply)
	if again := l.ask(t, version, apply); again.GetResourceVersion() != first.GetResourceVersion() {
		t.Error("the second apply of the same configuration changed the object")
	}
	extracted := l.ask(t, version, operation{"do": "extract", "merge": labels("extracted", "yes"), "manager": "typed"})
	equal(t, "labels", extracted.GetLabels(), map[string]string{"by": "update", "applied": "yes", "extracted": "yes"})
	list := l.typed[version].run(t, operation{"do": "list", "kind": l.kind})
	if items, _ := list.Object["items"].([]any); len(items) != 1 {
		t.Errorf("list: got %d objects, want 1", len(items))
	}
}

func (l clientView) testStatusVerbs(t *testing.T, version string) {
	want := l.typicalObject(t, version, l.kind, l.name).Object["status"]
	status := map[string]any{"status": want}
	l.ask(t, version, operation{"do": "updateStatus", "merge": status})
	equal(t, "status", projection(l.get(t, version, l.kind, l.name)), want)
	l.ask(t, version, operation{
		"do":        "patchStatus",
		"patchType": "application/merge-patch+json",
		"patch":     map[string]any{"status": map[string]any{"reservedFor": nil}},
	})
	applied := l.inNamespace(&object{
		Object: map[string]any{
			"status": map[string]any{"reservedFor": nested(&object{Object: status}, "status", "reservedFor")},
		},
	}, version, l.kind, l.name)
	l.ask(t, version, operation{"do": "applyStatus", "object": applied, "manager": "typed"})
	equal(t, "status", projection(l.get(t, version, l.kind, l.name)), want)
	l.ask(t, version, operation{"do": "update", "merge": labels("with", "status")})
	equal(t, "status", projection(l.get(t, version, l.kind, l.name)), want)
}

func (l clientView) testDelete(t *testing.T, version string) {
	l.typed[version].run(t, operation{"do": "delete", "kind": l.kind, "name": l.name})
	for _, c := range l.typed {
		c.run(t, operation{"do": "getCached", "kind": l.kind, "name": l.name})
	}
}

func labels(name, value string) map[string]any {
	return map[string]any{"metadata": map[string]any{"labels": map[string]any{name: value}}}
}
