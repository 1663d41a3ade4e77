//go:build e2e

package cluster

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/clients"
)

// nothing is left of a status.
var nothing = map[string]any{
	"status": map[string]any{"driverName": "", "allocation": nil, "reservedFor": nil, "deallocationRequested": false},
}

// A controller of 1.28 can still do everything with a claim that a driver of its time allocated.
func TestControllerOf128OnClaimsOfItsRelease(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	c := s.typedClient(t, clients.Unstructured, "v1alpha2")
	for origin, name := range map[string]string{"v1alpha1": "one", "v1alpha2": "several"} {
		o := s.typical(t, origin, claimKind, name)
		want := o.Object["status"].(map[string]any)
		delete(want, "reservedFor")
		if origin == "v1alpha2" {
			c.ask(t, question{"do": "create", "object": o})
			c.ask(t, question{"do": "updateStatus", "name": name, "merge": map[string]any{"status": want}})
		} else {
			s.createWithStatus(t, o)
		}
		c.ask(t, question{"do": "update", "name": name, "merge": labels("by", "1.28")})
		equal(t, name+": status", projection(s.get(t, origin, claimKind, name)), any(want))
		c.ask(t, question{"do": "updateStatus", "name": name, "reserve": consumer(0)})
		want["reservedFor"] = []any{consumer(0)}
		equal(t, name+": reserved", projection(s.get(t, origin, claimKind, name)), any(want))
		c.ask(t, question{"do": "updateStatus", "name": name, "merge": status("reservedFor", nil)})
		c.ask(t, question{"do": "updateStatus", "name": name, "merge": status("deallocationRequested", true)})
		c.ask(t, question{"do": "updateStatus", "name": name, "merge": nothing})
		equal(t, name+": status in the end", len(s.get(t, stored, claimKind, name).Object["status"].(map[string]any)),
			0)
		equal(t, name+": labels", s.get(t, stored, claimKind, name).GetLabels(), map[string]string{"by": "1.28"})
	}
}

// The types of 1.27 to 1.29 have no structured handles, so a PUT of the status would lose an allocation of 1.30 or
// 1.31. It is rejected, as in 1.30. Patches and server-side apply work for all operations, and lose nothing.
func TestControllerOf128OnClaimsOfLaterReleases(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	c := s.typedClient(t, clients.Unstructured, "v1alpha2")
	claims := map[string]*object{
		"of-1-30": set(t, s.typical(t, "v1alpha2", claimKind, "of-1-30"),
			[]any{map[string]any{"driverName": "gpu.example.com", "structuredData": map[string]any{
				"nodeName": "worker-1",
				"vendorClassParameters": map[string]any{
					"apiVersion": "gpu.example.com/v1", "kind": "GpuConfig", "text": "<&>",
				},
				"results": []any{map[string]any{"namedResources": map[string]any{"name": "gpu-0"}}},
			}}}, "status", "allocation", "resourceHandles"), // by a scheduler of 1.30
		"of-1-31": s.typical(t, stored, claimKind, "of-1-31"),
		"hidden":  s.claimWithHiddenData(t, "hidden", "rack-1/worker"), // of 1.31, with more that v1alpha2 cannot say
	}
	for name, o := range claims {
		t.Run(name, func(t *testing.T) {
			delete(o.Object["status"].(map[string]any), "reservedFor")
			s.createWithStatus(t, o)
			w := outdatedClient{s, c, name, s.get(t, stored, claimKind, name)}

			c.ask(t, question{"do": "update", "name": name, "merge": labels("by", "1.28")})
			w.checkStatus(t, "labeled")
			refused := map[string]question{
				"to reserve":                {"reserve": consumer(0)},
				"to ask for deallocation":   {"merge": status("deallocationRequested", true)},
				"to write back what it has": {},
			}
			for what, q := range refused {
				w.isRejected(t, what, q)
			}

			consumers := []any{consumer(0)}
			w.patches(t, "application/merge-patch+json", status("reservedFor", consumers))
			w.checkStatus(t, "reserved by a merge patch", consumers...)
			w.isRejected(t, "to release", question{"merge": status("reservedFor", nil)})
			w.checkStatus(t, "still reserved", consumers...)
			w.patches(t, "application/json-patch+json", []any{
				map[string]any{"op": "add", "path": "/status/reservedFor/-", "value": consumer(1)},
			})
			w.checkStatus(t, "reserved by a JSON patch", append(consumers, consumer(1))...)
			applied := s.move(&object{Object: status("reservedFor", []any{consumer(2)})}, "v1alpha2", claimKind, name)
			c.ask(t, question{"do": "applyStatus", "name": name, "object": applied, "manager": "typed"})
			w.checkStatus(t, "reserved by server-side apply", append(consumers, consumer(1), consumer(2))...)
			w.patches(t, "application/merge-patch+json", status("reservedFor", nil))
			w.checkStatus(t, "released")

			w.patches(t, "application/merge-patch+json", status("deallocationRequested", true))
			equal(t, "asked to deallocate", nested(s.get(t, stored, claimKind, name), "status", deallocation(stored)),
				any(true))

			// Removing the allocation needs no patch.
			c.ask(t, question{"do": "updateStatus", "name": name, "merge": nothing})
			now := s.get(t, stored, claimKind, name)
			equal(t, "status in the end", len(now.Object["status"].(map[string]any)), 0)
			equal(t, "spec", now.Object["spec"], w.before.Object["spec"])
		})
	}
}

// outdatedClient is a client without the types of some data in a claim.
type outdatedClient struct {
	space
	client *typedClient
	name   string
	before *object
}

func (w outdatedClient) patches(t *testing.T, kind string, patch any) {
	t.Helper()
	w.client.ask(t, question{"do": "patchStatus", "name": w.name, "patchType": kind, "patch": patch})
}

// isRejected checks that a PUT of the status is rejected, with the reason and an alternative.
func (w outdatedClient) isRejected(t *testing.T, what string, q question) {
	t.Helper()
	before := w.get(t, stored, claimKind, w.name)
	q["do"], q["name"] = "updateStatus", w.name
	_, rejection := w.client.try(t, q)
	if w.client.reason != metav1.StatusReasonInvalid {
		t.Errorf("%s: reason %q", what, w.client.reason)
	}
	const words = "status.allocation: Invalid value: field is immutable"
	onPage(t, "troubleshooting.md", words)
	for _, want := range []string{words, "allocation-is-immutable", "structuredData", "merge patch"} {
		if !strings.Contains(rejection, want) {
			t.Errorf("%s: no %q in %s", what, want, rejection)
		}
	}
	equal(t, what+": stored", content(w.get(t, stored, claimKind, w.name)), content(before))
}

// checkStatus checks that only the label and the consumers changed.
func (w outdatedClient) checkStatus(t *testing.T, when string, consumers ...any) {
	t.Helper()
	now, want := w.get(t, stored, claimKind, w.name), withLabel(w.before, "by", "1.28")
	if len(consumers) > 0 {
		set(t, want, slices.Clone(consumers), "status", "reservedFor")
	}
	equal(t, when, content(now), content(want))
}
