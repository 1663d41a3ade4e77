//go:build node

package webhook

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// certificateSource is a source of certificates, and the commands of the documentation that install with it.
type certificateSource struct {
	// prepare writes files that the commands need to a directory.
	prepare func(t *testing.T, dir string)
	install func(t *testing.T) string
}

var certificateSources = map[string]certificateSource{
	"cert-manager": {nil, func(t *testing.T) string { return quickStartInstall(t, 0) }},
	"self":         {nil, func(t *testing.T) string { return quickStartInstall(t, 1) }},
	"files": {
		writeCertificates,
		func(t *testing.T) string { return section(t, "manifests.md", "Certificates")[0] },
	},
}

// quickStartInstall returns one of the blocks of commands with which the quick start installs.
func quickStartInstall(t *testing.T, block int) string {
	t.Helper()
	blocks := section(t, "quick-start.md", "2. Install")
	if len(blocks) != 3 {
		t.Fatalf("the quick start has %d blocks of commands to install; this test knows three: with cert-manager, "+
			"without, and wait",
			len(blocks))
	}
	return blocks[block]
}

// variables returns the commands that set the variables of the documentation.
func variables(t *testing.T) string {
	t.Helper()
	first := section(t, "quick-start.md", "1. Choose an API group")[0]
	if first != "group="+group {
		t.Fatalf("the quick start begins with %q", first)
	}
	return first + "\n" + quickStartImage(t) + "\n"
}

// install runs the documented commands, and waits as documented.
func (c *cluster) install(t *testing.T, name string) {
	t.Helper()
	dir, started := t.TempDir(), time.Now()
	if prepare := certificateSources[name].prepare; prepare != nil {
		prepare(t, dir)
	}
	c.shellIn(t, dir, variables(t)+certificateSources[name].install(t))
	// A pod is ready as soon as the kubelet says so. It gets traffic when kube-proxy has seen that, which may take a
	// second more on a busy machine.
	output := ""
	await.True(t, "no problem is found", func() bool {
		now, err := c.runShell(t.Context(), t.TempDir(), variables(t)+section(t, "quick-start.md", "2. Install")[2])
		if err != nil && now != output {
			t.Logf("not yet: %s", now)
		}
		output = now
		return err == nil
	})
	if !strings.Contains(output, "successfully rolled out") || !strings.Contains(output, "checks)") {
		t.Errorf("unexpected output of the installation:\n%s", output)
	}
	t.Logf("installed and checked in %s:\n%s", since(started), output)
}

func since(started time.Time) time.Duration { return time.Since(started).Round(100 * time.Millisecond) }

// TestInstallation runs the documented commands with certificates of each source, in one cluster per source. It
// uninstalls one of them, because the commands are the same for all, and test/install tests them with all.
func TestInstallation(t *testing.T) {
	t.Parallel()
	for name := range certificateSources {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t)
			output := c.shell(t, section(t, "quick-start.md", "1. Choose an API group")[1])
			if !strings.HasPrefix(output, "v1.resource.k8s.io ") {
				t.Errorf("the cluster serves v1 of resource.k8s.io, but the documented command prints %s", output)
			}
			if name == "cert-manager" {
				c.installCertManager(t)
			}
			var before []string
			if name == "self" {
				before = c.stableInventory(t)
			}
			c.install(t, name)
			c.expectRestricted(t)
			c.expectFirstClaims(t)
			c.preflightInPod(t)
			if name == "self" {
				c.expectManifestsEnforced(t)
				c.uninstall(t, before)
			}
		})
	}
}

// year is a usual lifetime of a company's certificates.
var year = certs.ValidFor(365 * 24 * time.Hour)

// writeCertificates writes ca.crt, tls.crt and tls.key for the host name of the Service to a directory.
func writeCertificates(t *testing.T, dir string) {
	t.Helper()
	ca := certs.New(t, "the company's", year)
	serving := ca.Leaf(t, certs.Leaf{
		Name:  "claimbridge." + namespace + ".svc",
		Hosts: []string{"claimbridge." + namespace + ".svc"},
	})
	for file, text := range map[string][]byte{
		"ca.crt": ca.Certificate, "tls.crt": serving.Certificate, "tls.key": serving.Key,
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
	}
}

// age matches the column AGE in a table of kubectl.
var age = regexp.MustCompile(`(?m) +(\d+[smh])+( *)$`)

// expectFirstClaims runs the commands of the quick start that create claims, and compares their documented output.
func (c *cluster) expectFirstClaims(t *testing.T) {
	t.Helper()
	blocks := section(t, "quick-start.md", "3. First claims")
	c.shell(t, variables(t)+blocks[0])
	ran := 0
	for _, block := range blocks[1:] {
		commands, outputs := parseSession(block)
		for i, command := range commands {
			got, _ := c.runShell(t.Context(), t.TempDir(), variables(t)+command) // the last one is rejected
			if diff := cmp.Diff(normalizeTable(outputs[i]), normalizeTable(got)); diff != "" {
				t.Errorf("%s: output differs (-documented +got):\n%s", command, diff)
			}
			ran++
		}
	}
	t.Logf("%d commands print the documented output", ran)
}

func normalizeTable(output string) string {
	return strings.Join(strings.Fields(age.ReplaceAllString(output, " AGE")), " ")
}

// uninstall runs the documented commands, the deletion of claims last.
func (c *cluster) uninstall(t *testing.T, before []string) {
	t.Helper()
	steps := section(t, "operations.md", "Uninstall")
	if len(steps) != 6 {
		t.Fatalf("the page has %d blocks of commands; this test knows six: conversion, configurations, server, "+
			"policy, reinstall, claims",
			len(steps))
	}
	started := time.Now()
	for _, step := range steps[:4] {
		c.shell(t, variables(t)+step)
	}
	took := since(started)
	c.expectInventory(t, "all but the claims", append([]string{
		"apiservices.apiregistration.k8s.io /v1." + group,
		"clusterroles.rbac.authorization.k8s.io /claimbridge-claim-editor",
		"clusterroles.rbac.authorization.k8s.io /claimbridge-claim-viewer",
		"customresourcedefinitions.apiextensions.k8s.io /resourceclaims." + group,
		"customresourcedefinitions.apiextensions.k8s.io /resourceclaimtemplates." + group,
		"resourceclaims." + group + " default/new", "resourceclaims." + group + " default/old",
	}, before...))
	c.shell(t, variables(t)+steps[5])
	c.expectInventory(t, "nothing", before)
	t.Logf("uninstalled in %s; the cluster has the same %d objects as before the installation", took, len(before))
}

// expectRestricted checks that the namespace admits only pods that satisfy the Pod Security profile "restricted".
func (c *cluster) expectRestricted(t *testing.T) {
	t.Helper()
	namespaceObject := must.Get(c.core.CoreV1().Namespaces().Get(t.Context(), namespace, metav1.GetOptions{}))(t)
	if got := namespaceObject.Labels["pod-security.kubernetes.io/enforce"]; got != "restricted" {
		t.Errorf("the namespace enforces %q, want %q", got, "restricted")
	}
	output, err := c.runShell(t.Context(), t.TempDir(),
		"kubectl run free -n "+namespace+" --image=kit.local/any --privileged")
	if err == nil || !strings.Contains(output, `violates PodSecurity "restricted:latest"`) {
		t.Errorf("a privileged pod: got error %v, want a violation of PodSecurity:\n%s", err, output)
	}
}
