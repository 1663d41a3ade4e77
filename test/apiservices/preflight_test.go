//go:build e2e

package apiservices

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// found by preflight: the checks with a finding of some severity, and their commands.
func (c *cluster) found(t *testing.T, flags string) (checks []string, output string) {
	t.Helper()
	output, _ = c.shell(t, "claimbridge preflight --aggregated -o json "+flags+" 2>/dev/null")
	for line := range strings.Lines(output) {
		var result struct {
			Check, State string
			Findings     []any
		}
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		if len(result.Findings) > 0 {
			checks = append(checks, result.State+" "+result.Check)
		}
	}
	return checks, output
}

// No pods run here: that is the one finding, and what follows from it is none. Then one fault after the other.
func (c *cluster) testPreflight(t *testing.T) {
	const noPods = "problem deployment-is-available"
	for _, test := range []struct {
		name, fault, mend, flags string
		want                     []string
		says                     string
	}{
		{"as installed", "true", "true", "", []string{noPods}, "none of its 2 pods is ready"},
		{"no binding", "kubectl delete clusterrolebinding claimbridge-apiserver", "claimbridge manifests --aggregated --certificates=self | kubectl apply --server-side -f -", "",
			[]string{"problem account-has-its-rights", noPods}, "impersonate:user-info *.authentication.k8s.io"},
		{"no Service", "kubectl -n claimbridge-system delete service claimbridge-apiserver", "claimbridge manifests --aggregated --certificates=self | kubectl apply --server-side -f -", "",
			[]string{noPods, "problem service-exists"}, "APIService v1beta1.resource.k8s.io, APIService v1beta2.resource.k8s.io"},
		{"another server's", `kubectl patch apiservice v1beta1.resource.k8s.io --type=merge -p '{"spec":{"service":{"name":"other"}}}'`,
			`kubectl patch apiservice v1beta1.resource.k8s.io --type=merge -p '{"spec":{"service":{"name":"claimbridge-apiserver"}}}'`, "",
			[]string{"problem versions-are-free", noPods}, "sends v1beta1 to Service claimbridge-system/other"},
		{"no caBundle", `kubectl patch apiservice v1beta1.resource.k8s.io --type=merge -p '{"spec":{"caBundle":null}}'`, "true", "--skip=deployment-is-available",
			nil, "v1beta1"},
		{"a namespace that waits", `kubectl create namespace going && kubectl delete namespace going --wait=false &&
			kubectl patch namespace going --subresource=status --type=merge -p '{"status":{"conditions":[{"type":"NamespaceDeletionDiscoveryFailure","status":"True","reason":"DiscoveryFailed","message":"Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: resource.k8s.io/v1beta1: stale GroupVersion discovery: resource.k8s.io/v1beta1"}]}}'`,
			`kubectl get namespace going -o json | sed 's/"kubernetes"//' | kubectl replace --raw /api/v1/namespaces/going/finalize -f -`, "",
			[]string{noPods, "problem no-namespace-waits"}, "waits for this server to be deleted"},
		{"a policy that looks at the node of who asks", `kubectl create -f - <<.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: slices-of-ones-own-node}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [resource.k8s.io], apiVersions: ["*"], operations: ["*"], resources: [resourceslices]}]
  matchConditions: [{name: from-a-node, expression: "request.userInfo.?extra[?'authentication.kubernetes.io/node-name'].hasValue()"}]
  validations: [{expression: "object.spec.nodeName == request.userInfo.extra['authentication.kubernetes.io/node-name'][0]"}]
.`, "kubectl delete validatingadmissionpolicy slices-of-ones-own-node", "", []string{"warning policies-do-without-extras", noPods}, "docs/aggregated.md, \\\"Policies that look at extras\\\""},
		{"asked about another namespace", "true", "true", "--namespace=gpu --versions=v1beta1", nil, "to the server in namespace claimbridge-system, not gpu"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.run(t, test.fault)
			defer c.run(t, test.mend)
			checks, output := c.found(t, test.flags)
			if test.want != nil && !slices.Equal(checks, test.want) {
				t.Errorf("found %q", checks)
			}
			if !strings.Contains(output, test.says) {
				t.Errorf("it does not say %q:\n%s", test.says, output)
			}
		})
	}
}

// A cluster that serves a version itself, or that has a definition of the group, is refused by name, and nothing is written.
func TestAClusterThatIsNotFitIsRefused(t *testing.T) {
	t.Parallel()
	c := start(t, "resource.k8s.io/v1beta1=true")
	output, code := c.shell(t, "claimbridge manifests --aggregated")
	if code != 1 || !strings.Contains(output, "APIService v1beta1.resource.k8s.io: the API server serves v1beta1 itself\n  remedy: leave v1beta1 out of --versions") || strings.Contains(output, "kind:") {
		t.Errorf("exit code %d\n%s", code, output)
	}
	t.Run("a server that is left with no version does not start, and says why", func(t *testing.T) {
		output, code := c.shell(t, fmt.Sprintf("timeout 60 claimbridge-apiserver --kubeconfig=$KUBECONFIG --versions=v1beta1 --secure-port=%d", plane.Port(t)))
		if code != 1 || !strings.Contains(output, "resource.k8s.io/v1beta1 is served by the cluster itself: take v1beta1 out of --versions") || strings.Contains(output, "Serving securely") {
			t.Errorf("exit code %d\n%s", code, output)
		}
	})
	t.Run("a server that is left with one serves that", func(t *testing.T) {
		output, code := c.shell(t, fmt.Sprintf(`claimbridge-apiserver --kubeconfig=$KUBECONFIG --versions=v1beta1,v1beta2 --secure-port=%d 2>$HOME/log &
for i in $(seq 600); do grep -q "Serving securely" $HOME/log && break; kill -0 $! || break; sleep 0.1; done
kill $!; wait $!; code=$?; cat $HOME/log; exit $code`, plane.Port(t)))
		if code != 0 || !strings.Contains(output, `serving=["v1beta2"]`) || !strings.Contains(output, "Serving securely") {
			t.Errorf("exit code %d\n%s", code, output)
		}
	})
	c.run(t, "claimbridge manifests --aggregated --versions=v1beta2,v1alpha1")
	if output := c.run(t, "claimbridge manifests --aggregated --versions=v1beta2 --act-as=caller-legacy"); !strings.HasPrefix(output, "warning: Deployment claimbridge-system/claimbridge-apiserver: may act as anybody for anything") {
		t.Errorf("it begins with %.300s", output)
	}
	c.run(t, "claimbridge manifests --aggregated --only=server")
	c.run(t, "claimbridge manifests --aggregated --force")
	if checks, output := c.found(t, ""); !slices.Equal(checks, []string{"problem versions-are-free"}) {
		t.Errorf("preflight found %q\n%s", checks, output)
	}
	if checks, output := c.found(t, "--versions=v1beta2"); !slices.Equal(checks, []string{"problem aggregated-server-is-installed"}) || !strings.Contains(output, "claimbridge manifests --aggregated --versions=v1beta2 --act-as=caller --certificates=self | kubectl apply --server-side -f -") {
		t.Errorf("preflight found %q\n%s", checks, output)
	}
	t.Run("a version without an APIService is free only when the API server does not serve it", func(t *testing.T) {
		c.run(t, "kubectl delete apiservice v1beta1.resource.k8s.io")
		const says = "APIService v1beta1.resource.k8s.io: does not exist, but the API server serves v1beta1 itself"
		c.await(t, "claimbridge manifests --aggregated 2>&1 | grep '"+says+"'")
		if output, code := c.shell(t, "claimbridge manifests --aggregated --versions=v1beta1"); code != 1 || !strings.Contains(output, says) || strings.Contains(output, "kind:") {
			t.Errorf("exit code %d\n%s", code, output)
		}
		if checks, output := c.found(t, ""); !slices.Equal(checks, []string{"problem versions-are-free"}) {
			t.Errorf("preflight found %q\n%s", checks, output)
		}
	})
	t.Run("a version that somebody turns on while an APIService of ours has its name is hidden by that, and found", func(t *testing.T) {
		c.install(t, "--force")
		c.await(t, "claimbridge preflight --aggregated --skip=deployment-is-available 2>&1 | grep 'APIService v1beta1.resource.k8s.io: hides v1beta1, which the API server serves itself by now'")
		if checks, output := c.found(t, "--skip=deployment-is-available,versions-are-free"); len(checks) > 0 {
			t.Errorf("found %q\n%s", checks, output)
		}
	})
	c.run(t, `kubectl create -f - <<.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: podschedulings.resource.k8s.io, annotations: {api-approved.kubernetes.io: unapproved}}
spec:
  group: resource.k8s.io
  names: {kind: PodScheduling, plural: podschedulings}
  scope: Namespaced
  versions: [{name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
.`)
	output, code = c.shell(t, "claimbridge manifests --aggregated --versions=v1beta2")
	if code != 1 || !strings.Contains(output, "CustomResourceDefinition podschedulings.resource.k8s.io: is a definition of resource.k8s.io") {
		t.Errorf("exit code %d\n%s", code, output)
	}
}
