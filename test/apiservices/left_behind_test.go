//go:build e2e

package apiservices

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A version that is taken out of --versions leaves its APIService, which nobody answers. Manifests tell of it, and preflight.
func (c *cluster) testAVersionThatIsTakenAway(t *testing.T) {
	const (
		manifests = "claimbridge manifests --aggregated --certificates=self "
		apply     = "| kubectl apply --server-side -f -"
		says      = "APIService v1alpha1.resource.k8s.io: leads here, and v1alpha1 is not among --versions"
		command   = "kubectl delete apiservice v1alpha1.resource.k8s.io"
	)
	c.run(t, manifests+"--versions=v1alpha1,v1beta1,v1beta2 "+apply)
	if checks, output := c.found(t, ""); !slices.Equal(checks, []string{"problem deployment-is-available"}) {
		t.Errorf("found %q\n%s", checks, output)
	}
	for _, when := range []string{"before it is applied", "afterwards"} {
		if output := c.run(t, manifests); !strings.HasPrefix(output, "warning: "+says) || strings.Count(output, says) != 1 || !strings.Contains(output, "\n    "+command+"\n") {
			t.Errorf("%s it begins with %.500s", when, output)
		}
		c.run(t, manifests+"2>/dev/null "+apply)
	}
	checks, output := c.found(t, "")
	if !slices.Equal(checks, []string{"problem api-services-are-served", "problem deployment-is-available"}) || !strings.Contains(output, `"command":"`+command+`"`) {
		t.Errorf("found %q\n%s", checks, output)
	}
	c.run(t, command)
	if output := c.run(t, manifests); strings.Contains(output, "warning: ") {
		t.Errorf("it begins with %.500s", output)
	}
}

// Whoever may not list APIServices hears that, and not that there are none.
func (c *cluster) testANobodyAsks(t *testing.T) {
	if checks, output := c.found(t, "--as=nobody"); slices.ContainsFunc(checks, func(check string) bool { return !strings.HasPrefix(check, "unknown ") }) || len(checks) == 0 {
		t.Errorf("found %q\n%s", checks, output)
	}
	output, code := c.shell(t, "claimbridge manifests --aggregated --as=nobody")
	if code != 1 || strings.Count(output, "APIService: could not look") != 1 || strings.Contains(output, "--skip") {
		t.Errorf("exit code %d\n%s", code, output)
	}
}

// What an outage explains is not called ok.
func (c *cluster) testStatesOfAnOutage(t *testing.T) {
	output, _ := c.shell(t, "claimbridge preflight --aggregated -o json 2>/dev/null")
	for line := range strings.Lines(output) {
		var result struct{ Check, State, Follows string }
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		switch result.Check {
		case "service-has-endpoints", "api-services-are-available", "old-versions-can-be-read":
			if result.State != "unknown" || result.Follows != "deployment-is-available" {
				t.Errorf("%s is %s, and follows from %q", result.Check, result.State, result.Follows)
			}
		}
	}
	if !strings.Contains(output, "none of its 2 pods is ready, so no namespace of the cluster finishes deleting") {
		t.Errorf("the Deployment's finding does not say what waits:\n%s", output)
	}
}
