package manifests

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
)

// The steps of docs/quick-start.md, with the manifests that are there by then.
func (c *cluster) uninstall(t *testing.T) {
	const group = "uninstall.example.com"
	o := config.Options{Certificates: config.Self, Group: group, Namespace: "uninstall"}
	part := func(p config.Part) []byte {
		o := o
		o.Only = p
		return manifests(t, o)
	}
	// Claims of the stored version need neither conversion nor, before there are configurations, a webhook.
	c.run(t, part(config.CRDsPart), "apply", "--server-side", "-f", "-")
	c.run(t, nil, "wait", "--for=condition=Established", "--timeout=20s", "crd/resourceclaims."+group)
	c.run(t, []byte(`
apiVersion: uninstall.example.com/v1alpha3
kind: ResourceClaim
metadata: {name: kept, namespace: default}
spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.example.com, allocationMode: ExactCount, count: 1}]}}
`), "create", "-f", "-")
	c.run(t, manifests(t, o), "apply", "--server-side", "-f", "-")

	for _, crd := range []string{"resourceclaims." + group, "resourceclaimtemplates." + group} {
		c.run(t, nil, "patch", "crd", crd, "--type=json", "-p", uninstallPatch)
	}
	c.run(t, part(config.WebhooksPart), "delete", "-f", "-")
	c.run(t, part(config.ServerPart), "delete", "--wait=false", "-f", "-")

	c.run(t, nil, "get", "resourceclaims."+group, "kept")
	if got := c.run(t, nil, "api-resources", "--api-group="+group, "-o", "wide"); strings.Contains(got, "v1alpha1") || !strings.Contains(got, group+"/v1alpha3") {
		t.Errorf("old versions are served without a converter:\n%s", got)
	}
	c.run(t, nil, "label", "resourceclaims."+group, "kept", "still=there")
	c.run(t, nil, "delete", "resourceclaims."+group, "kept")

	// And back again. The patch took fields over, so that it takes force.
	c.run(t, part(config.CRDsPart), "apply", "--server-side", "--force-conflicts", "-f", "-")
	if got := c.run(t, nil, "get", "crd", "resourceclaims."+group, "-o", "jsonpath={.spec.conversion.strategy} {.spec.versions[*].served}"); got != "Webhook true true true" {
		t.Errorf("after installing again: %s", got)
	}
}

// uninstallPatch switches conversion off, and with it the versions that need it: without a converter they would show claims
// without their content, and write them so.
const uninstallPatch = `[
  {"op": "test", "path": "/spec/versions/2/name", "value": "v1alpha3"},
  {"op": "replace", "path": "/spec/versions/0/served", "value": false},
  {"op": "replace", "path": "/spec/versions/1/served", "value": false},
  {"op": "replace", "path": "/spec/conversion", "value": {"strategy": "None"}}
]`
