//go:build e2e

package manifests

import (
	"bytes"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook"
)

const (
	leavingGroup     = "leaving.example.com"
	leavingNamespace = config.DefaultNamespace // which the page names
)

// The commands of docs/operations.md, word for word, while an editor of a namespace works on. First they leave the claims and
// who may use them, then nothing at all.
func TestUninstall(t *testing.T) {
	t.Parallel()
	c := start(t, true)
	// What the controllers of a cluster would add to the roles edit and view.
	for _, role := range []string{"claimbridge-claim-editor", "claimbridge-claim-viewer"} {
		c.run(t, nil, "create", "rolebinding", role, "-n", "default", "--clusterrole="+role, "--user=editor")
	}
	c.playNamespaces(t)
	before := c.settled(t)
	c.leavingInstallation(t)
	steps := chapter(t, "operations.md", "Uninstall")
	if len(steps) != 6 {
		t.Fatalf("the page has %d blocks of commands; this test knows six: conversion, configurations, server, policy, back, claims", len(steps))
	}
	editor := c.edit(t)
	for _, step := range steps[:4] {
		c.shell(t, "group="+leavingGroup, step)
		editor.goesOn(t, 5)
	}
	for _, step := range steps[:4] { // begun again
		c.shell(t, "group="+leavingGroup, step)
	}
	editor.goesOn(t, 20)
	editor.end(t)
	editor.leave(t, "kept")

	if got := c.run(t, nil, "get", "crd", "resourceclaims."+leavingGroup, "-o", "jsonpath={.spec.conversion.strategy} {.spec.versions[*].served}"); got != "None true false false false false false" {
		t.Errorf("old versions are served without a converter: %s", got)
	}
	kept := []string{
		"apiservices.apiregistration.k8s.io v1." + leavingGroup,
		"clusterroles.rbac.authorization.k8s.io claimbridge-claim-editor", "clusterroles.rbac.authorization.k8s.io claimbridge-claim-viewer",
		"customresourcedefinitions.apiextensions.k8s.io resourceclaims." + leavingGroup,
		"customresourcedefinitions.apiextensions.k8s.io resourceclaimtemplates." + leavingGroup,
		"resourceclaims." + leavingGroup + " default/kept",
	}
	c.expect(t, "claims are kept", append(kept, before...))

	// Back and away again, by the Makefile.
	c.shell(t, "group="+leavingGroup+" image=registry.example.com/claimbridge:v1 certificates=self", steps[4])
	if got := c.run(t, nil, "get", "crd", "resourceclaims."+leavingGroup, "-o", "jsonpath={.spec.conversion.strategy} {.spec.versions[*].served}"); got != "Webhook true true true true true true" {
		t.Errorf("after installing again: %s", got)
	}
	if output, err := c.make(t, "deploy", "GROUP="+leavingGroup, "CERTIFICATES=self"); err != nil { // over what is there
		t.Errorf("make deploy: %v\n%s", err, output)
	}
	if output, err := c.make(t, "undeploy", "GROUP="+leavingGroup); err != nil {
		t.Errorf("make undeploy: %v\n%s", err, output)
	}
	c.expect(t, "claims are kept, by make", append(kept, before...))
	if output, err := c.make(t, "undeploy"); err == nil || !strings.Contains(output, "GROUP is required") {
		t.Errorf("make undeploy without a group: %v\n%s", err, output)
	}

	c.shell(t, "group="+leavingGroup, steps[5])
	c.expect(t, "nothing is kept", before)
}

// leavingInstallation has all that the manifests can have, and a server that is called.
func (c *cluster) leavingInstallation(t *testing.T) {
	o := config.Options{Group: leavingGroup, Certificates: config.Self, AdmissionPolicy: true, Only: config.ServerPart}
	c.run(t, manifests(t, o), "apply", "--server-side", "-f", "-")
	server := serve(t, webhook.Options{
		Groups: []string{leavingGroup}, BindAddress: "127.0.0.1", SecurePort: -1, ShutdownTimeout: time.Second, MetricsBindAddress: "0",
		CertificateSecret: leavingNamespace + "/claimbridge-ca", DNSNames: []string{"claimbridge." + leavingNamespace + ".svc"},
		Kubeconfig: c.kubeconfigOf(t, leavingNamespace, "claimbridge"),
	})
	_, port, err := net.SplitHostPort(server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	o.Only = ""
	stream := bytes.ReplaceAll(everything(t, o), []byte("port: 443\n"), []byte("port: "+port+"\n"))
	c.run(t, stream, "apply", "--server-side", "-f", "-")
	c.run(t, nil, "patch", "service", "claimbridge", "-n", leavingNamespace, "--type=json", "-p",
		`[{"op": "replace", "path": "/spec", "value": {"type": "ExternalName", "externalName": "127.0.0.1"}}]`)
	c.run(t, nil, "wait", "--for=condition=Established", "--timeout=60s", "crd/resourceclaims."+leavingGroup)
}
