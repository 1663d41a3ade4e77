//go:build e2e

package aggregated

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/conformance"
)

// checked are the resources that upstream's check has a case for.
var checked = []string{"resourceclaims", "resourceclaimtemplates", "deviceclasses", "resourceslices"}

// Kubernetes' own conformance check of a resource passes, for members of system:masters and for users who are acted as; and on the
// key, which shows that it is the check and not what is checked that decides.
func TestConformance(t *testing.T) {
	t.Parallel()
	program, err := conformance.Program(t.Context(), filepath.Join("..", "conformance"))
	if err != nil {
		t.Fatal(err)
	}
	var both, alphas []string
	for _, resource := range checked {
		for _, version := range inTree {
			both = append(both, version+"/"+resource)
		}
	}
	for _, version := range []string{"v1alpha1", "v1alpha2", "v1alpha3"} {
		alphas = append(alphas, version+"/resourceclaims", version+"/resourceclaimtemplates")
	}
	for name, run := range map[string]struct {
		*cluster
		user      string
		resources []string
	}{
		"the key":                            {key, "root", both},
		"ours as a member of system:masters": {ours, "root", both},
		"ours as a user":                     {ours, "conformer", both},
		"alphas as a user":                   {ours, "conformer", alphas},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := run.Kubeconfig(run.user, "default")
			if err != nil {
				t.Fatal(err)
			}
			kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
			if err := os.WriteFile(kubeconfig, data, 0o600); err != nil {
				t.Fatal(err)
			}
			output, err := exec.CommandContext(t.Context(), program, append([]string{kubeconfig}, run.resources...)...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			if want := fmt.Sprintf("%d/%d specs", len(run.resources), len(run.resources)); !strings.Contains(string(output), want) {
				t.Errorf("it did not run %s:\n%s", want, output)
			}
		})
	}
}
