//go:build e2e

package cluster

import (
	"strings"
	"testing"
)

// From 1.32 on typed clients of Kubernetes' own groups write protobuf unless they are told not to, and an API server breaks off
// the connection when it gets any for a custom resource. docs/crd-differences.md says what to do; what they read is JSON, and
// what is JSON whatever the content type works.
func TestTypedClientsThatWriteProtobuf(t *testing.T) {
	needsTypedClients(t)
	t.Parallel()
	s := builtInOff.space(t)
	for release, version := range map[string]string{"v0.32": "v1beta1", "v0.36": "v1"} {
		name := "of-" + version
		o := s.typical(t, version, claimKind, name)
		c := s.typedClient(t, release, version, "application/vnd.kubernetes.protobuf")
		if _, refusal := c.try(t, question{"do": "create", "object": o}); !strings.Contains(refusal, "INTERNAL_ERROR") {
			t.Errorf("%s creates: %q", release, refusal)
		}
		s.typedClient(t, release, version).ask(t, question{"do": "create", "object": o})
		for _, verb := range []string{"update", "updateStatus"} {
			if _, refusal := c.try(t, question{"do": verb, "name": name}); !strings.Contains(refusal, "INTERNAL_ERROR") {
				t.Errorf("%s %s: %q", release, verb, refusal)
			}
		}
		c.ask(t, question{"do": "list"})
		c.ask(t, question{"do": "patch", "name": name, "patchType": "application/merge-patch+json", "patch": labels("by", release)})
		c.ask(t, question{"do": "delete", "name": name})
	}
}
