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

// way to have certificates, and how the pages install it.
type way struct {
	// prepare the folder of the commands.
	prepare func(t *testing.T, folder string)
	install func(t *testing.T) string
}

var ways = map[string]way{
	"cert-manager": {nil, func(t *testing.T) string { return quickStart(t, 0) }},
	"self":         {nil, func(t *testing.T) string { return quickStart(t, 1) }},
	"files": {
		ownCertificates,
		func(t *testing.T) string { return chapter(t, "manifests.md", "Certificates")[0] },
	},
}

// quickStart installs by one of the blocks of its chapter.
func quickStart(t *testing.T, block int) string {
	t.Helper()
	blocks := chapter(t, "quick-start.md", "2. Install")
	if len(blocks) != 3 {
		t.Fatalf("the quick start has %d blocks of commands to install; this test knows three: with cert-manager, "+
			"without, and wait",
			len(blocks))
	}
	return blocks[block]
}

// variables that the pages set, before their commands.
func variables(t *testing.T) string {
	t.Helper()
	first := chapter(t, "quick-start.md", "1. Choose an API group")[0]
	if first != "group="+group {
		t.Fatalf("the quick start begins with %q", first)
	}
	return first + "\n" + imageOfPage(t) + "\n"
}

// install word for word, and wait as the page does.
func (c *cluster) install(t *testing.T, name string) {
	t.Helper()
	folder, begun := t.TempDir(), time.Now()
	if prepare := ways[name].prepare; prepare != nil {
		prepare(t, folder)
	}
	c.shellIn(t, folder, variables(t)+ways[name].install(t))
	// Pods are ready when the kubelet says so, and reached when kube-proxy has heard of it, which a
	// busy machine may do a second later.
	said := ""
	await.That(t, "no problem is found", func() bool {
		now, err := c.try(t.Context(), t.TempDir(), variables(t)+chapter(t, "quick-start.md", "2. Install")[2])
		if err != nil && now != said {
			t.Logf("not yet: %s", now)
		}
		said = now
		return err == nil
	})
	if !strings.Contains(said, "successfully rolled out") || !strings.Contains(said, "checks)") {
		t.Errorf("the installation ends with:\n%s", said)
	}
	t.Logf("installed and looked at in %s:\n%s", since(begun), said)
}

func since(begun time.Time) time.Duration { return time.Since(begun).Round(100 * time.Millisecond) }

// TestInstallation goes through the pages with certificates of each origin, each in a cluster of
// its own. What an uninstall leaves is the same for all, and asked of all in test/install; here
// controllers and the kubelet take one installation away, which was asked for all that it says
// before.
func TestInstallation(t *testing.T) {
	t.Parallel()
	for name := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t)
			said := c.shell(t, chapter(t, "quick-start.md", "1. Choose an API group")[1])
			if !strings.HasPrefix(said, "v1.resource.k8s.io ") {
				t.Errorf("which versions the cluster serves itself, by the page: %s", said)
			}
			if name == "cert-manager" {
				c.addCertManager(t)
			}
			var before []string
			if name == "self" {
				before = c.settled(t)
			}
			c.install(t, name)
			c.restricted(t)
			c.firstClaims(t)
			c.preflightInside(t)
			if name == "self" {
				c.promises(t)
				c.uninstall(t, before)
			}
		})
	}
}

// year is as long as a company's certificates live.
var year = certs.For(365 * 24 * time.Hour)

// ownCertificates in a folder, for the name that API servers ask for: ca.crt, tls.crt and tls.key.
func ownCertificates(t *testing.T, folder string) {
	t.Helper()
	ca := certs.New(t, "the company's", year)
	serving := ca.Leaf(t, certs.Leaf{
		Name:  "claimbridge." + namespace + ".svc",
		Hosts: []string{"claimbridge." + namespace + ".svc"},
	})
	for file, text := range map[string][]byte{
		"ca.crt": ca.Certificate, "tls.crt": serving.Certificate, "tls.key": serving.Key,
	} {
		must.Do(t, os.WriteFile(filepath.Join(folder, file), text, 0o600))
	}
}

// age in a table of kubectl.
var age = regexp.MustCompile(`(?m) +(\d+[smh])+( *)$`)

// firstClaims of the quick start, and what the page says that is printed.
func (c *cluster) firstClaims(t *testing.T) {
	t.Helper()
	blocks := chapter(t, "quick-start.md", "3. First claims")
	c.shell(t, variables(t)+blocks[0])
	ran := 0
	for _, block := range blocks[1:] {
		commands, outputs := session(block)
		for i, command := range commands {
			got, _ := c.try(t.Context(), t.TempDir(), variables(t)+command) // the last one is rejected
			if diff := cmp.Diff(plain(outputs[i]), plain(got)); diff != "" {
				t.Errorf("%s prints something else (-page +got):\n%s", command, diff)
			}
			ran++
		}
	}
	t.Logf("%d commands print what the page says", ran)
}

func plain(output string) string {
	return strings.Join(strings.Fields(age.ReplaceAllString(output, " AGE")), " ")
}

// uninstall word for word: first all but the claims, then these.
func (c *cluster) uninstall(t *testing.T, before []string) {
	t.Helper()
	steps := chapter(t, "operations.md", "Uninstall")
	if len(steps) != 6 {
		t.Fatalf("the page has %d blocks of commands; this test knows six: conversion, configurations, server, "+
			"policy, back, claims",
			len(steps))
	}
	begun := time.Now()
	for _, step := range steps[:4] {
		c.shell(t, variables(t)+step)
	}
	took := since(begun)
	c.expect(t, "all but the claims", append([]string{
		"apiservices.apiregistration.k8s.io /v1." + group,
		"clusterroles.rbac.authorization.k8s.io /claimbridge-claim-editor",
		"clusterroles.rbac.authorization.k8s.io /claimbridge-claim-viewer",
		"customresourcedefinitions.apiextensions.k8s.io /resourceclaims." + group,
		"customresourcedefinitions.apiextensions.k8s.io /resourceclaimtemplates." + group,
		"resourceclaims." + group + " default/new", "resourceclaims." + group + " default/old",
	}, before...))
	c.shell(t, variables(t)+steps[5])
	c.expect(t, "nothing", before)
	t.Logf("away in %s; of the cluster's %d objects each is as before, and there is no other", took, len(before))
}

// restricted: the namespace admits no pod that is not held to Pod Security's strictest profile.
func (c *cluster) restricted(t *testing.T) {
	t.Helper()
	place := must.Get(c.core.CoreV1().Namespaces().Get(t.Context(), namespace, metav1.GetOptions{}))(t)
	if got := place.Labels["pod-security.kubernetes.io/enforce"]; got != "restricted" {
		t.Errorf("the namespace enforces %q", got)
	}
	output, err := c.try(t.Context(), t.TempDir(),
		"kubectl run free -n "+namespace+" --image=kit.local/any --privileged")
	if err == nil || !strings.Contains(output, `violates PodSecurity "restricted:latest"`) {
		t.Errorf("a pod with all rights is admitted: %v\n%s", err, output)
	}
}
