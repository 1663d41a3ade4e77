//go:build e2e

package cluster

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/test/objects"
)

// A driver of 1.26, one of 1.30 and a scheduler of 1.31 at work on one claim: each sees what the others did, and what one of
// them cannot say survives what it writes.
func TestADriverADriverAndASchedulerOfTheirTime(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	typed := s.typedClients(t)
	driver, controller, scheduler := typed["v1alpha1"], typed["v1alpha2"], typed["v1alpha3"]

	driver.ask(t, question{"do": "create", "object": s.typical(t, "v1alpha1", claimKind, "gpu")})
	const handle = `{"gpu":"GPU-0","secret":"\u003c&>é"}`
	driver.ask(t, question{"do": "updateStatus", "name": "gpu", "merge": map[string]any{"status": map[string]any{
		"driverName": "gpu.example.com", "allocation": map[string]any{"resourceHandle": handle, "shareable": true},
	}}})
	for i, c := range []*typedClient{scheduler, controller} {
		c.ask(t, question{"do": "updateStatus", "name": "gpu", "reserve": consumer(i)})
	}
	controller.ask(t, question{"do": "update", "name": "gpu", "merge": labels("controller", "1.30")})
	for _, c := range typed {
		c.ask(t, question{"do": "updateStatus", "name": "gpu"}) // as it reads it
	}
	o := s.get(t, "v1alpha1", claimKind, "gpu")
	equal(t, "handle", nested(o, "status", "allocation", "resourceHandle"), any(handle))
	equal(t, "reservations", nested(o, "status", "reservedFor"), any([]any{consumer(0), consumer(1)}))

	if _, refusal := controller.try(t, question{"do": "updateStatus", "name": "gpu", "merge": status("deallocationRequested", true)}); !strings.Contains(refusal, "deallocation-after-last-reservation") {
		t.Errorf("deallocation while the claim is in use: %q", refusal)
	}
	scheduler.ask(t, question{"do": "updateStatus", "name": "gpu", "merge": status("reservedFor", nil)})
	controller.ask(t, question{"do": "updateStatus", "name": "gpu", "merge": status("deallocationRequested", true)})
	o = driver.ask(t, question{"do": "updateStatus", "name": "gpu", "merge": map[string]any{"status": map[string]any{"allocation": nil, "deallocationRequested": nil}}})
	equal(t, "allocation", nested(o, "status", "allocation"), nil)
	for version := range typed {
		o := s.get(t, version, claimKind, "gpu")
		for _, field := range []string{"allocation", "reservedFor", "deallocationRequested"} {
			equal(t, version+" "+field, nested(o, "status", field), nil)
		}
		equal(t, version+" labels", o.GetLabels(), map[string]string{"controller": "1.30"})
	}
}

func status(field string, value any) map[string]any {
	return map[string]any{"status": map[string]any{field: value}}
}

func consumer(i int) map[string]any {
	return map[string]any{"resource": "pods", "name": fmt.Sprintf("pod-%d", i), "uid": fmt.Sprintf("2f0c0f9e-5b0e-4a3c-8a4e-%012d", i)}
}

// The same three at once, on claims of each version: whoever is late tries again, and nothing is lost.
func TestTypedClientsAtOnce(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	typed := s.typedClients(t)
	const claims = 9
	before := map[string]*object{}
	for i := range claims {
		version := versions[i%len(versions)]
		name := fmt.Sprintf("claim-%d", i)
		o := s.typical(t, version, claimKind, name)
		unstructured.RemoveNestedField(o.Object, "status", "reservedFor")
		s.createWithStatus(t, o)
		before[name] = s.get(t, stored, claimKind, name)
	}
	var all sync.WaitGroup
	for i, version := range versions {
		all.Go(func() {
			for name := range before {
				for _, q := range []question{
					{"do": "updateStatus", "name": name, "reserve": consumer(i)}, {"do": "update", "name": name, "merge": labels(version, "was-here")}, {"do": "updateStatus", "name": name},
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

// Old typed clients write back claims of which they understand half, and drop every field that they do not know. Nothing is
// lost; and where a client drops the annotation that carries the other half too, it is told what to do.
func TestTypedClientsWriteBackWhatTheyDoNotUnderstand(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	typed := s.typedClients(t)
	seed := objects.Seed(t)
	source := objects.New(seed)
	for i := range 8 {
		for _, kind := range []string{claimKind, templateKind} {
			name := fmt.Sprintf("random-%d", i)
			s.createWithStatus(t, s.random(t, source, stored, kind, name))
			for _, version := range versions[:2] {
				before := s.get(t, stored, kind, name)
				writes := []question{{"do": "update", "merge": labels("by", version)}}
				if kind == claimKind {
					writes = append(writes, question{"do": "updateStatus"})
				}
				for _, q := range writes {
					q["kind"], q["name"] = kind, name
					typed[version].ask(t, q)
				}
				after := s.get(t, stored, kind, name)
				before.SetLabels(after.GetLabels())
				s.sameContent(t, kind+" "+name+" after "+version, after, before)
			}
		}
	}
}

// A client that replaces all annotations takes away the half that it does not understand, and hears what to do.
func TestATypedClientThatReplacesAnnotations(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	typed := s.typedClients(t)
	o := s.typical(t, stored, claimKind, "two")
	request := map[string]any{"name": "two", "exactly": map[string]any{"deviceClassName": "nic.example.com", "allocationMode": "All"}}
	requests, _ := nested(o, "spec", "devices", "requests").([]any)
	s.create(t, set(t, o, append(requests, request), "spec", "devices", "requests"))
	for _, version := range versions[:2] {
		_, refusal := typed[version].try(t, question{"do": "update", "name": "two", "merge": map[string]any{"metadata": map[string]any{"annotations": nil}}})
		if !strings.Contains(refusal, "claimbridge.dev/") || !strings.Contains(refusal, "stored-spec-is-unchanged") {
			t.Errorf("%s: %q", version, refusal)
		}
	}
	o = s.get(t, stored, claimKind, "two")
	if requests, _ := nested(o, "spec", "devices", "requests").([]any); len(requests) != 2 {
		t.Errorf("requests: %v", requests)
	}
}
