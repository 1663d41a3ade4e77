package manifests

import (
	"os"
	"regexp"
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
	c.run(t, nil, "wait", "--for=condition=Established", "--timeout=60s", "crd/resourceclaims."+group)
	c.run(t, []byte(`
apiVersion: uninstall.example.com/v1alpha3
kind: ResourceClaim
metadata: {name: kept, namespace: default}
spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.example.com, allocationMode: ExactCount, count: 1}]}}
`), "create", "-f", "-")
	c.run(t, manifests(t, o), "apply", "--server-side", "-f", "-")

	for _, crd := range []string{"resourceclaims." + group, "resourceclaimtemplates." + group} {
		c.run(t, nil, "patch", "crd", crd, "--type=json", "-p", uninstallPatch(t))
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

// uninstallPatch is the patch in docs/quick-start.md.
func uninstallPatch(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/quick-start.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)kubectl patch crd \$plural\.\$group --type=json -p '(.*?)'`).FindSubmatch(page)
	if found == nil {
		t.Fatal("the page has no patch any more")
	}
	return string(found[1])
}
