//go:build e2e

package cluster

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func status(field string, value any) map[string]any {
	return map[string]any{"status": map[string]any{field: value}}
}

func consumer(i int) map[string]any {
	return map[string]any{
		"resource": "pods",
		"name":     fmt.Sprintf("pod-%d", i),
		"uid":      fmt.Sprintf("2f0c0f9e-5b0e-4a3c-8a4e-%012d", i),
	}
}

// Clients of all versions write claims of three versions concurrently, and claims with data that old versions can't
// represent. Conflicts are retried, and no data is lost, although an old client drops every field that it does not
// know.
func TestTypedClientsAtOnce(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	typed := s.typedClients(t)
	const claims = 6
	before := map[string]*object{}
	for i := range claims {
		version := versions[i%len(versions)]
		name := fmt.Sprintf("claim-%d", i)
		o := s.typical(t, version, claimKind, name)
		if i%2 == 1 {
			o = s.claimWithHiddenData(t, name, "rack-1/worker")
		}
		unstructured.RemoveNestedField(o.Object, "status", "reservedFor")
		s.createWithStatus(t, o)
		before[name] = s.get(t, stored, claimKind, name)
	}
	var all sync.WaitGroup
	for i, version := range versions {
		all.Go(func() {
			for name := range before {
				for _, q := range []question{
					{"do": "updateStatus", "name": name, "reserve": consumer(i)},
					{"do": "update", "name": name, "merge": labels(version, "was-here")},
					{"do": "updateStatus", "name": name},
				} {
					// A client tries five times by itself, which is not always enough beside five others.
					refusal := "the object has been modified"
					for strings.Contains(refusal, "the object has been modified") {
						_, refusal = typed[version].try(t, q)
					}
					if refusal != "" {
						t.Errorf("the client of %s: %v: %s", version, q, refusal)
					}
				}
			}
		})
	}
	all.Wait()
	for name, want := range before {
		o := s.get(t, stored, claimKind, name)
		equal(t, name+" spec", o.Object["spec"], want.Object["spec"])
		equal(t, name+" allocation", nested(o, "status", "allocation"), nested(want, "status", "allocation"))
		equal(t, name+" labels", len(o.GetLabels()), len(versions))
		if reserved, _ := nested(o, "status", "reservedFor").([]any); len(reserved) != len(versions) {
			t.Errorf("%s is reserved for %v", name, reserved)
		}
	}
}
