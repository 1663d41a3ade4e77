//go:build e2e

package apiservices

import (
	"os"
	"strings"
	"testing"
)

// The policy that the page has for a driver: with the token of a pod it writes slices of its node alone, and by its name alone, as this server
// acts for it, none at all.
func (c *cluster) testPolicy(t *testing.T) {
	page, err := os.ReadFile("../../docs/aggregated.md")
	if err != nil {
		t.Fatal(err)
	}
	_, policy, ok := strings.Cut(string(page), "\n    kind: ValidatingAdmissionPolicy\n")
	policy, _, _ = strings.Cut(policy, "\n\n")
	if !ok {
		t.Fatal("the page has no policy")
	}
	c.run(t, "kubectl create namespace gpu && kubectl create serviceaccount driver -n gpu && kubectl create clusterrolebinding gpu-driver --clusterrole=cluster-admin --serviceaccount=gpu:driver")
	c.run(t, "kubectl create -f - <<.\n{apiVersion: v1, kind: Node, metadata: {name: node-1}}\n.")
	c.run(t, "kubectl create -f - <<'.'\n"+"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"+strings.ReplaceAll(policy, "\n    ", "\n")[4:]+`
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: gpu-driver-slices-of-its-node}
spec: {policyName: gpu-driver-slices-of-its-node, validationActions: [Deny]}
.`)
	slice := func(node, as string) string {
		return "kubectl create --dry-run=server " + as + ` -f - <<. 2>&1
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a}
spec: {driver: gpu.example.com, nodeName: ` + node + `, pool: {name: p, generation: 1, resourceSliceCount: 1}}
.`
	}
	const name = "--as=system:serviceaccount:gpu:driver"
	token := "--kubeconfig=/dev/null --server=" + c.Config.Host + " --insecure-skip-tls-verify --token=" +
		strings.TrimSpace(c.run(t, "kubectl create token driver -n gpu --bound-object-kind=Node --bound-object-name=node-1"))
	c.await(t, "{ "+slice("node-2", name)+"\n} | grep 'its node is not known'") // a policy takes some seconds
	for what, test := range map[string]struct{ node, as, says string }{
		"a slice of its node":         {"node-1", token, "created (server dry run)"},
		"a slice of another node":     {"node-2", token, "writes slices of the node that its pod is on"},
		"by its name alone":           {"node-1", name, "writes slices of the node that its pod is on"},
		"another account is let pass": {"node-2", "--as=somebody --as-group=system:masters", "created (server dry run)"},
	} {
		if output, _ := c.shell(t, slice(test.node, test.as)); !strings.Contains(output, test.says) {
			t.Errorf("%s: %s", what, output)
		}
	}
	c.run(t, "kubectl delete validatingadmissionpolicy,validatingadmissionpolicybinding gpu-driver-slices-of-its-node && kubectl delete clusterrolebinding gpu-driver && kubectl delete node node-1")
}
