//go:build e2e

package cluster

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/clients"
)

// emptyStatus removes all fields of a status.
var emptyStatus = map[string]any{
	"status": map[string]any{"driverName": "", "allocation": nil, "reservedFor": nil, "deallocationRequested": false},
}

// TestControllerOf128OnClaimsOfItsRelease checks that a controller of 1.28 can use all verbs for a claim that was
// allocated by a driver of this release.
func TestControllerOf128OnClaimsOfItsRelease(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := withoutBuiltIn.space(t)
	c := s.typedClient(t, clients.WithoutStructuredData, "v1alpha2")
	for origin, name := range map[string]string{"v1alpha1": "one", "v1alpha2": "several"} {
		o := s.typicalObject(t, origin, claimKind, name)
		want := o.Object["status"].(map[string]any)
		delete(want, "reservedFor")
		if origin == "v1alpha2" {
			c.run(t, operation{"do": "create", "object": o})
			c.run(t, operation{"do": "updateStatus", "name": name, "merge": map[string]any{"status": want}})
		} else {
			s.createWithStatus(t, o)
		}
		c.run(t, operation{"do": "update", "name": name, "merge": labels("by", "1.28")})
		equal(t, name+": status", projection(s.get(t, origin, claimKind, name)), any(want))
		c.run(t, operation{"do": "updateStatus", "name": name, "reserve": consumer(0)})
		want["reservedFor"] = []any{consumer(0)}
		equal(t, name+": reserved", projection(s.get(t, origin, claimKind, name)), any(want))
		c.run(t, operation{"do": "updateStatus", "name": name, "merge": status("reservedFor", nil)})
		c.run(t, operation{"do": "updateStatus", "name": name, "merge": status("deallocationRequested", true)})
		c.run(t, operation{"do": "updateStatus", "name": name, "merge": emptyStatus})
		equal(t, name+": status in the end", len(s.get(t, stored, claimKind, name).Object["status"].(map[string]any)),
			0)
		equal(t, name+": labels", s.get(t, stored, claimKind, name).GetLabels(), map[string]string{"by": "1.28"})
	}
}

// TestControllerOf128OnClaimsOfLaterReleases uses types of 1.27 to 1.29, which have no structured handles, so a PUT of
// the status would lose an allocation of 1.30 or 1.31. It is rejected, as in 1.30. Patches and server-side apply work
// for all operations, and lose nothing.
func TestControllerOf128OnClaimsOfLaterReleases(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := withoutBuiltIn.space(t)
	c := s.typedClient(t, clients.WithoutStructuredData, "v1alpha2")
	claims := map[string]*object{
		"of-1-30": set(t, s.typicalObject(t, "v1alpha2", claimKind, "of-1-30"),
			[]any{map[string]any{"driverName": "gpu.example.com", "structuredData": map[string]any{
				"nodeName": "worker-1",
				"vendorClassParameters": map[string]any{
					"apiVersion": "gpu.example.com/v1", "kind": "GpuConfig", "text": "<&>",
				},
				"results": []any{map[string]any{"namedResources": map[string]any{"name": "gpu-0"}}},
			}}}, "status", "allocation", "resourceHandles"), // by a scheduler of 1.30
		"of-1-31": s.typicalObject(t, stored, claimKind, "of-1-31"),
		"hidden":  s.claimWithHiddenData(t, "hidden", "rack-1/worker"), // of 1.31, with data that v1alpha2 cannot represent
	}
	for name, o := range claims {
		t.Run(name, func(t *testing.T) {
			delete(o.Object["status"].(map[string]any), "reservedFor")
			s.createWithStatus(t, o)
			client := outdatedClient{s, c, name, s.get(t, stored, claimKind, name)}

			c.run(t, operation{"do": "update", "name": name, "merge": labels("by", "1.28")})
			client.checkStatus(t, "labeled")
			rejectedOperations := map[string]operation{
				"to reserve":                {"reserve": consumer(0)},
				"to request deallocation":   {"merge": status("deallocationRequested", true)},
				"to update without changes": {},
			}
			for what, op := range rejectedOperations {
				client.expectRejected(t, what, op)
			}

			consumers := []any{consumer(0)}
			client.patchStatus(t, "application/merge-patch+json", status("reservedFor", consumers))
			client.checkStatus(t, "reserved by a merge patch", consumers...)
			client.expectRejected(t, "to release", operation{"merge": status("reservedFor", nil)})
			client.checkStatus(t, "still reserved", consumers...)
			client.patchStatus(t, "application/json-patch+json", []any{
				map[string]any{"op": "add", "path": "/status/reservedFor/-", "value": consumer(1)},
			})
			client.checkStatus(t, "reserved by a JSON patch", append(consumers, consumer(1))...)
			applied := s.inNamespace(&object{Object: status("reservedFor", []any{consumer(2)})}, "v1alpha2", claimKind, name)
			c.run(t, operation{"do": "applyStatus", "name": name, "object": applied, "manager": "typed"})
			client.checkStatus(t, "reserved by server-side apply", append(consumers, consumer(1), consumer(2))...)
			client.patchStatus(t, "application/merge-patch+json", status("reservedFor", nil))
			client.checkStatus(t, "released")

			client.patchStatus(t, "application/merge-patch+json", status("deallocationRequested", true))
			equal(t, "request for deallocation", nested(s.get(t, stored, claimKind, name), "status", deallocation(stored)),
				any(true))

			// Removing the allocation needs no patch.
			c.run(t, operation{"do": "updateStatus", "name": name, "merge": emptyStatus})
			now := s.get(t, stored, claimKind, name)
			equal(t, "status in the end", len(now.Object["status"].(map[string]any)), 0)
			equal(t, "spec", now.Object["spec"], client.before.Object["spec"])
		})
	}
}

// outdatedClient is a client whose types lack some fields of a claim.
type outdatedClient struct {
	space
	client *typedClient
	name   string
	before *object
}

func (w outdatedClient) patchStatus(t *testing.T, kind string, patch any) {
	t.Helper()
	w.client.run(t, operation{"do": "patchStatus", "name": w.name, "patchType": kind, "patch": patch})
}

// expectRejected checks that a PUT of the status is rejected, with the reason and an alternative.
func (w outdatedClient) expectRejected(t *testing.T, what string, op operation) {
	t.Helper()
	before := w.get(t, stored, claimKind, w.name)
	op["do"], op["name"] = "updateStatus", w.name
	_, rejection := w.client.try(t, op)
	if w.client.reason != metav1.StatusReasonInvalid {
		t.Errorf("%s: got reason %q, want Invalid", what, w.client.reason)
	}
	const text = "status.allocation: Invalid value: field is immutable"
	checkPage(t, "troubleshooting.md", text)
	for _, want := range []string{text, "allocation-is-immutable", "structuredData", "merge patch"} {
		if !strings.Contains(rejection, want) {
			t.Errorf("%s: got error %q, want %q in it", what, rejection, want)
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
