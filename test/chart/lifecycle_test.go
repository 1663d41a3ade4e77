//go:build e2e

package chart

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
)

const (
	group     = "claims.example.com"
	namespace = "claimbridge-system"
	template  = "{apiVersion: %s/%s, kind: ResourceClaim, metadata: {name: %s, namespace: default}, spec: %s}"
)

// A release from its first day to its last, by two releases of Helm one after the other. Claims are there throughout, and readable and writable in old
// versions as long as there is a server.
func TestLifeOfARelease(t *testing.T) {
	c := start(t)
	for _, release := range releases {
		t.Run(release, func(t *testing.T) { c.life(t, release) })
	}
}

func (c *cluster) life(t *testing.T, release string) {
	h := newHelm(t, release)
	h.kubeconfig = c.kubeconfig
	port := plane.Port(t)
	chart := reachable(t, webhookChart, port)
	do := func(verb string, args ...string) string {
		t.Helper()
		return h.run(t, append([]string{verb, "mine", "--namespace=" + namespace}, args...)...)
	}
	// What one applies manifests with is a conflict for the other, as with claimbridge manifests.
	var force []string
	if release == programs.Helm4 {
		force = []string{"--force-conflicts"}
	}
	values := []string{chart, "--set=group=" + group, "--set=certificates=self"}

	notes := do("install", append(values, "--create-namespace")...)
	for _, want := range []string{"v1beta2 and v1 of " + group, "claimbridge preflight --group=" + group, "helm uninstall leaves the definitions"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
	c.sizeOfTheRelease(t)
	c.kubectl(t, "patch", "service", "claimbridge", "-n", namespace, "--type=merge", "-p", `{"spec":{"type":"ExternalName","externalName":"127.0.0.1"}}`)
	stop := c.serve(t, port)
	claim := func(version, name, spec string) string { return fmt.Sprintf(template, group, version, name, spec) }
	c.await(t, "a claim of v1alpha1", claim("v1alpha1", "old", "{resourceClassName: gpu.example.com}"), "created", "create", "-f", "-")
	c.await(t, "a claim of v1", claim("v1", "new", "{devices: {requests: [{name: a, exactly: {deviceClassName: gpu.example.com}}]}}"), "created", "create", "-f", "-")
	are := func() string {
		t.Helper()
		return c.kubectl(t, "get", "resourceclaims.v1."+group, "-o", `jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.spec}{"\n"}{end}`)
	}
	var stored string
	alive := func(after string) {
		t.Helper()
		if got := are(); stored == "" {
			stored = got
		} else if got != stored {
			t.Errorf("after the %s claims are\n%s\nand were\n%s", after, got, stored)
		}
		for _, name := range []string{"old", "new"} {
			c.await(t, after, "", "gpu.example.com", "get", "resourceclaims.v1alpha2."+group, name, "-o", "jsonpath={.spec.resourceClassName}")
			c.kubectl(t, "annotate", "--overwrite", "resourceclaims.v1alpha3."+group, name, "after="+strings.ReplaceAll(after, " ", "-"))
		}
	}
	alive("install")
	bundle := c.bundles(t)

	do("upgrade", append(values, "--set=replicas=3", "--set=kubernetesRelease=1.34")...)
	alive("upgrade")
	if got := c.kubectl(t, "get", "deployment", "claimbridge", "-n", namespace, "-o", "jsonpath={.spec.replicas} {.spec.template.spec.containers[0].args}"); !strings.HasPrefix(got, "3 ") || !strings.Contains(got, "--kubernetes-release=1.34") {
		t.Errorf("after the upgrade: %s", got)
	}
	do("rollback", "1")
	alive("rollback")
	if got := c.kubectl(t, "get", "deployment", "claimbridge", "-n", namespace, "-o", "jsonpath={.spec.replicas}"); got != "2" {
		t.Errorf("after the rollback: %s replicas", got)
	}
	do("upgrade", append(values, "--set=definitions.install=false")...)
	alive("upgrade of the server alone")
	do("upgrade", values...)
	alive("upgrade of the definitions after it")
	if got := c.bundles(t); got != bundle {
		t.Errorf("the caBundles were %s and are %s", bundle, got)
	}

	t.Log("the page's uninstall")
	for _, step := range uninstall(t) {
		if args, ok := strings.CutPrefix(step, "helm "); ok {
			h.run(t, strings.Fields(strings.ReplaceAll(args, "claimbridge -n", "mine -n"))...)
			continue
		}
		args := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(strings.TrimPrefix(step, "kubectl "), -1)
		for i, arg := range args {
			args[i] = strings.ReplaceAll(strings.Trim(arg, "'"), "$group", group)
		}
		c.kubectl(t, args...)
	}
	stop()
	c.left(t, "the uninstall", `clusterrole/claimbridge-claim-editor clusterrole/claimbridge-claim-viewer crd/resourceclaims crd/resourceclaimtemplates`)
	c.kubectl(t, "annotate", "--overwrite", "resourceclaims.v1."+group, "old", "new", "after=uninstall")
	if got := are(); got != stored {
		t.Errorf("after the uninstall claims are\n%s\nand were\n%s", got, stored)
	}

	t.Log("installed again, over what was left")
	do("install", append(values, force...)...)
	if release == programs.Helm3 {
		definitions := h.run(t, append([]string{"template", "mine", "--namespace=" + namespace, "--show-only=templates/crds.yaml"}, values...)...)
		if output, err := c.try(t.Context(), definitions, "apply", "--server-side", "--force-conflicts", "-f", "-"); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
	c.kubectl(t, "patch", "service", "claimbridge", "-n", namespace, "--type=merge", "-p", `{"spec":{"type":"ExternalName","externalName":"127.0.0.1"}}`)
	c.serve(t, port) // by a CA of its own: that of before went with its Secret
	alive("second install")

	t.Log("without the definitions, when that is asked for")
	do("upgrade", append(values, "--set=definitions.keep=false")...)
	alive("upgrade to what is not kept")
	do("uninstall")
	c.await(t, "definitions", "", "(NotFound)", "get", "crd", "resourceclaims."+group)
	c.await(t, "definitions", "", "(NotFound)", "get", "crd", "resourceclaimtemplates."+group)
	c.left(t, "the last uninstall", "")
}

// left of everything that has our label.
func (c *cluster) left(t *testing.T, after, want string) {
	t.Helper()
	out := c.kubectl(t, "get", "-A", "-o", "name", "-l", "app.kubernetes.io/name=claimbridge", "crd,clusterroles,clusterrolebindings,roles,rolebindings,secrets,services,deployments,"+
		"serviceaccounts,networkpolicies,poddisruptionbudgets,resourcequotas,validatingwebhookconfigurations,mutatingwebhookconfigurations")
	var names []string
	for _, name := range strings.Fields(out) {
		name = strings.NewReplacer("clusterrole.rbac.authorization.k8s.io/", "clusterrole/", "customresourcedefinition.apiextensions.k8s.io/", "crd/", "."+group, "").Replace(name)
		names = append(names, name)
	}
	wanted := strings.Fields(want)
	if len(names) != len(wanted) {
		t.Errorf("%s leaves %q, want %q", after, names, wanted)
		return
	}
	for _, name := range wanted {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ") {
			t.Errorf("%s leaves %q, not %s", after, names, name)
		}
	}
}

// bundles that API servers trust, which the server wrote and helm must leave alone.
func (c *cluster) bundles(t *testing.T) string {
	t.Helper()
	text := c.kubectl(t, "get", "crd", "resourceclaims."+group, "resourceclaimtemplates."+group, "-o", "jsonpath={.items[*].spec.conversion.webhook.clientConfig.caBundle}") + " " +
		c.kubectl(t, "get", "mutatingwebhookconfiguration,validatingwebhookconfiguration", "claimbridge", "-o", "jsonpath={.items[*].webhooks[*].clientConfig.caBundle}")
	if n := len(strings.Fields(text)); n != 4 {
		t.Errorf("%d objects have a caBundle, not 4", n)
	}
	return text
}

// sizeOfTheRelease, which Helm keeps in a Secret, of which etcd takes a mebibyte: charts that do not fit cannot be installed.
func (c *cluster) sizeOfTheRelease(t *testing.T) {
	t.Helper()
	size := len(c.kubectl(t, "get", "secret", "sh.helm.release.v1.mine.v1", "-n", namespace, "-o", "jsonpath={.data.release}"))
	t.Logf("the Secret of the release has %d KiB", size>>10)
	if most := 512 << 10; size > most {
		t.Errorf("the Secret of the release has %d bytes, more than half of what an API server takes", size)
	}
}

// uninstall is the page's commands, lines that go on joined.
func uninstall(t *testing.T) (commands []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/chart.md")
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, _ := strings.Cut(string(page), "\n## Uninstall\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	for block := range strings.SplitSeq(chapter, "\n\n") {
		if !strings.HasPrefix(block, "    kubectl ") && !strings.HasPrefix(block, "    helm ") {
			continue
		}
		if strings.Contains(block, "apiserver") || strings.Contains(block, "delete crd") || strings.Contains(block, "helm template") {
			continue // the other chart, the end of all claims, and the way back
		}
		commands = append(commands, strings.Join(strings.Fields(block), " "))
	}
	if len(commands) != 2 {
		t.Fatalf("the page has %q", commands)
	}
	return commands
}

// On a cluster that serves what a chart would bring, nothing is installed. The other chart comes and goes with its server away, which is the worst
// time for it: then discovery fails for every client.
func TestClustersThatAreNotFit(t *testing.T) {
	c := start(t)
	for _, release := range releases {
		h := newHelm(t, release)
		h.kubeconfig = c.kubeconfig
		refused := func(name, want string, args ...string) {
			t.Helper()
			_, stderr, err := h.try(t.Context(), append([]string{"install", "mine", "--namespace=" + namespace, "--create-namespace"}, args...)...)
			if err == nil || !strings.Contains(stderr, want) {
				t.Errorf("%s, %s: %v\n%s", release, name, err, stderr)
			}
		}
		refused("the group in the tree", "the API server serves v1.resource.k8s.io itself", webhookChart, "--set=group=resource.k8s.io")
		refused("another group in the tree", "serves v1.storage.k8s.io itself", webhookChart, "--set=group=storage.k8s.io")
		h.run(t, "install", "mine", aggregatedChart, "--namespace="+namespace, "--create-namespace", "--set=certificates=self")
		c.await(t, "an APIService", "", "False (", "get", "apiservices", "v1beta1.resource.k8s.io")
		h.run(t, "upgrade", "mine", aggregatedChart, "--namespace="+namespace, "--set=certificates=self", "--set=versions={v1beta2}")
		if got := c.kubectl(t, "get", "apiservices", "-o", "name", "-l", "app.kubernetes.io/name=claimbridge-apiserver"); strings.TrimSpace(got) != "apiservice.apiregistration.k8s.io/v1beta2.resource.k8s.io" {
			t.Errorf("%s: after the upgrade there are %s", release, got)
		}
		h.run(t, "rollback", "mine", "1", "--namespace="+namespace)
		if got := c.kubectl(t, "get", "apiservices", "-o", "name", "-l", "app.kubernetes.io/name=claimbridge-apiserver"); strings.Count(got, "\n") != 2 {
			t.Errorf("%s: after the rollback there are %s", release, got)
		}
		h.run(t, "uninstall", "mine", "--namespace="+namespace)
		if got := c.kubectl(t, "get", "-A", "-o", "name", "-l", "app.kubernetes.io/name=claimbridge-apiserver", "apiservices,clusterroles,clusterrolebindings,roles,rolebindings,secrets,services,deployments,"+
			"serviceaccounts,networkpolicies,poddisruptionbudgets,resourcequotas"); strings.Contains(got, "/") {
			t.Errorf("%s: the uninstall leaves %s", release, got)
		}
	}
}
