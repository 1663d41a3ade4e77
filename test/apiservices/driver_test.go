//go:build e2e

package apiservices

import (
	"os"
	"strings"
	"testing"
)

// A driver whose rights are for its own node may not write through an old version, where its node is lost on the way; with the rule of the page
// it may.
func (c *cluster) testDriver(t *testing.T) {
	page, err := os.ReadFile("../../docs/aggregated.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rule, ok := strings.Cut(string(page), "This rule, for its account, gives the write back:\n\n")
	rule, _, ok2 := strings.Cut(rule, "\n\n")
	if !ok || !ok2 {
		t.Fatal("the page has no rule")
	}
	c.run(t, `kubectl create -f - <<.
apiVersion: v1
kind: ServiceAccount
metadata: {name: driver, namespace: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: gpu-driver}
rules:
- {apiGroups: [resource.k8s.io], resources: [resourceclaims], verbs: [get]}
- {apiGroups: [resource.k8s.io], resources: [resourceclaims/status], verbs: [get, update, patch]}
- {apiGroups: [resource.k8s.io], resources: [resourceclaims/driver], verbs: ["associated-node:update", "associated-node:patch"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: gpu-driver}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: gpu-driver}
subjects: [{kind: ServiceAccount, name: driver, namespace: default}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: allocated, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
.`)
	c.run(t, `kubectl patch resourceclaims allocated --subresource=status --type=merge -p '{"status":{"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"p","device":"d"}]}}}}'`)
	const write = `kubectl patch --as=system:serviceaccount:default:driver resourceclaims.v1beta1.resource.k8s.io allocated --subresource=status --type=merge ` +
		`-p '{"status":{"devices":[{"driver":"gpu.example.com","pool":"p","device":"d"}]}}'`
	if output, code := c.shell(t, write); code == 0 || !strings.Contains(output, `changing status.devices requires resource="resourceclaims/driver", verb="[arbitrary-node:patch]" permission`) {
		t.Errorf("exit code %d\n%s", code, output)
	}
	c.run(t, "sed 's/^      //' <<'.' | kubectl create -f -\n"+rule+"\n.")
	c.run(t, "kubectl create clusterrolebinding gpu-driver-of-any-node --clusterrole=gpu-driver-of-any-node --serviceaccount=default:driver")
	c.await(t, write)
	if got := c.run(t, "kubectl get resourceclaims allocated -o jsonpath={.status.devices[0].driver}"); got != "gpu.example.com" {
		t.Errorf("v1 has %s", got)
	}
}
