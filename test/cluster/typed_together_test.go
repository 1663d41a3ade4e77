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

// TestConcurrentTypedClientsLoseNoData has clients of all versions that concurrently write claims of three versions,
// and claims with data that old versions can't represent. Conflicts are retried, and no data is lost, although a client
// of an old release drops every field that its types lack.
func TestConcurrentTypedClientsLoseNoData(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := withoutBuiltIn.space(t)
	typed := s.typedClients(t)
	const claims = 6
	before := map[string]*object{}
	for i := range claims {
		version := versions[i%len(versions)]
		name := fmt.Sprintf("claim-%d", i)
		o := s.typicalObject(t, version, claimKind, name)
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
				for _, op := range []operation{
					{"do": "updateStatus", "name": name, "reserve": consumer(i)},
					{"do": "update", "name": name, "merge": labels(version, "written")},
					{"do": "updateStatus", "name": name},
				} {
					// A client retries five times, which is not always enough with five others.
					message := "the object has been modified"
					for strings.Contains(message, "the object has been modified") {
						_, message = typed[version].try(t, op)
					}
					if message != "" {
						t.Errorf("the client of %s: %v: %s", version, op, message)
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
			t.Errorf("consumers of %s: got %v, want %d", name, reserved, len(versions))
		}
	}
}
