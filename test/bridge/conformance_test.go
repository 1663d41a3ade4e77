//go:build e2e

package bridge

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
)

// Kubernetes' own conformance check of a resource passes through claimbridge proxy, and on the key, which shows that it is the check and not
// what is checked that decides.
func TestConformance(t *testing.T) {
	program := programs.Other(t, programs.Conformance)
	check := func(t *testing.T, c *cluster, server string, versions ...string) {
		t.Parallel()
		args := []string{c.kubeconfig(t, "conformer", "default", server)}
		for _, resource := range []string{"resourceclaims", "resourceclaimtemplates", "deviceclasses", "resourceslices"} {
			for _, version := range versions {
				args = append(args, version+"/"+resource)
			}
		}
		output, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		if want := fmt.Sprintf("%d/%[1]d specs", len(args)-1); !strings.Contains(string(output), want) {
			t.Errorf("it did not run %s:\n%s", want, output)
		}
	}
	t.Run("the key", func(t *testing.T) { check(t, key, key.Config.Host, whole...) })
	ways(func(served, asked string) {
		t.Run(asked+" over "+served, func(t *testing.T) {
			c := alone[served]
			check(t, c, c.proxy(t, "conformer", plane.Port(t)).url(), asked)
		})
	})
}
