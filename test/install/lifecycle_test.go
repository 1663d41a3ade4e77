//go:build e2e

package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

const (
	group     = "claims.example.com"
	namespace = config.DefaultNamespace // the documented commands use it
)

// lifecycle is an installation that is installed, used, changed and uninstalled on a cluster.
type lifecycle struct {
	installation
	helm helm
	// port of this machine that the Service refers to.
	port int
	// chart is the path of a copy of the chart that uses the port.
	chart string
	// before are the objects of the cluster before the installation.
	before []string
	// claims as they are stored.
	claims string
	server *webhook.Server
	stop   func()
}

// TestLifecycle installs, uses, changes, uninstalls and reinstalls claimbridge with each method, as documented. Claims
// exist throughout, and can be read and written in old versions while a server runs. Certificates of cert-manager or
// files are not issued in this test: in these cases no server is called.
func TestLifecycle(t *testing.T) {
	t.Parallel()
	c := newCluster(t, "")
	// In a real cluster, a controller would aggregate these roles to edit and view.
	for _, role := range []string{"claimbridge-claim-editor", "claimbridge-claim-viewer"} {
		c.Kubectl(t, nil, "create", "rolebinding", role, "-n", "default", "--clusterrole="+role, "--user=editor")
	}
	c.simulateNamespaceDeletion(t)
	for _, m := range installMethods {
		if !t.Run(m.name, func(t *testing.T) { c.testLifecycle(t, m) }) {
			t.Fatal("the next methods need an unchanged cluster")
		}
	}
}

func (c *cluster) testLifecycle(t *testing.T, m installMethod) {
	l := &lifecycle{
		installation: installation{c, m, group, namespace},
		port:         plane.Port(t),
		before:       c.stableInventory(t),
		stop:         func() {},
	}
	if m.helmVersion != "" {
		l.helm = newHelm(t, m.helmVersion)
		l.helm.kubeconfig = c.Shell.Kubeconfig
		l.chart = chartWithPort(t, l.port)
	}
	defer func() { l.stop() }()
	hasServer := m.certificates == config.Self
	for _, step := range []struct {
		name    string
		applies bool
		run     func(*testing.T)
	}{
		{"install as documented", true, l.install},
		{"claims are converted, defaulted and validated through the Service", hasServer, l.checkWebhooks},
		{"only accounts with the role can read metrics", hasServer, l.checkMetrics},
		{"replace the CA as documented", hasServer, l.replaceCA},
		{"upgrades and rollbacks change no claim", m.helmVersion != "", l.upgradeAndRollBack},
		{"uninstall as documented, only claims remain", true, l.uninstall},
		{"reinstall as documented", hasServer, l.reinstall},
		{"make deploy and make undeploy", m == manifestsSelf, l.deployAndUndeploy},
		{"uninstall with the claims, nothing remains", true, l.uninstallWithClaims},
	} {
		if step.applies && !t.Run(step.name, step.run) {
			t.Fatal("the next steps need this one")
		}
	}
}

// install installs with a Service that refers to a port of this machine, and starts the server there.
func (l *lifecycle) install(t *testing.T) {
	if l.helmVersion != "" {
		notes := l.helm.run(t, append([]string{"install", "mine", "--create-namespace"}, l.chartArgs()...)...)
		for _, want := range []string{
			"v1beta2 and v1 of " + group, "claimbridge preflight --group=" + group,
			"helm uninstall keeps the CRDs and all claims",
		} {
			if !strings.Contains(notes, want) {
				t.Errorf("the notes of the chart do not contain %q:\n%s", want, notes)
			}
		}
		l.checkReleaseSize(t)
	} else {
		stream := strings.ReplaceAll(l.stream(t, l.certificates == config.Self), "port: 443\n",
			fmt.Sprintf("port: %d\n", l.port))
		l.Kubectl(t, []byte(stream), "apply", "--server-side", "-f", "-")
	}
	l.awaitEstablished(t, "resourceclaims."+group, "resourceclaimtemplates."+group)
	l.redirectService(t)
	l.startServer(t)
}

// chartArgs returns the arguments of helm for the chart and its values.
func (l *lifecycle) chartArgs() []string {
	return []string{
		l.chart, "--namespace=" + namespace, "--set=group=" + group, "--set=image.tag=" + imageTag,
		"--set=certificates=" + string(l.certificates),
	}
}

// replaceCA replaces the CA of the server as documented.
func (l *lifecycle) replaceCA(t *testing.T) {
	next := certs.New(t, "the company's", certs.ValidFor(365*day))
	folder := t.TempDir()
	for file, text := range map[string][]byte{"next.crt": next.Certificate, "next.key": next.Key} {
		must.Do(t, os.WriteFile(filepath.Join(folder, file), text, 0o600))
	}
	steps := commandBlocks(t, "certificates.md", "self")
	index := slices.IndexFunc(steps, func(step string) bool { return strings.Contains(step, "next.crt") })
	if index < 0 {
		t.Fatal("docs/certificates.md has no command with next.crt")
	}
	l.runCommands(t, "cd "+folder, steps[index])
	l.awaitCA(t, next.Certificate)
}

// uninstall uninstalls as documented while an editor writes claims. It runs the commands twice, because they can be
// repeated, except with Helm.
func (l *lifecycle) uninstall(t *testing.T) {
	var e *editor
	if l.certificates == config.Self {
		e = l.startEditor(t)
	}
	runs := 2
	if l.helmVersion != "" {
		runs = 1 // helm uninstall fails if there is no such release
	}
	for range runs {
		for _, step := range l.uninstallCommands(t) {
			l.runCommands(t, "group="+group, step)
			if e != nil {
				e.awaitRounds(t, 5)
			}
		}
	}
	if e != nil {
		e.awaitRounds(t, 20)
		e.finish(t)
		e.deleteClaims(t)
	}
	l.stop()
	if got, want := l.servedVersions(t), "None true false false false false false"; got != want {
		t.Errorf("after the uninstall: got conversion strategy and served versions %q, want %q", got, want)
	}
	l.checkOnlyClaimsRemain(t)
	l.checkClaimsUnchanged(t, "uninstall")
}

// checkOnlyClaimsRemain checks that only the claims and the permissions to use them remain.
func (l *lifecycle) checkOnlyClaimsRemain(t *testing.T) {
	t.Helper()
	remaining := []string{
		"apiservices.apiregistration.k8s.io v1." + group,
		"clusterroles.rbac.authorization.k8s.io claimbridge-claim-editor",
		"clusterroles.rbac.authorization.k8s.io claimbridge-claim-viewer",
		"customresourcedefinitions.apiextensions.k8s.io resourceclaims." + group,
		"customresourcedefinitions.apiextensions.k8s.io resourceclaimtemplates." + group,
	}
	if l.claims != "" {
		remaining = append(remaining, "resourceclaims."+group+" default/new", "resourceclaims."+group+" default/old")
	}
	l.awaitInventory(t, "only claims remain", slices.Concat(remaining, l.helmNamespace(), l.before))
}

// helmNamespace returns the namespace that helm creates with --create-namespace. helm uninstall does not delete it.
func (l *lifecycle) helmNamespace() []string {
	if l.helmVersion == "" {
		return nil
	}
	return []string{"namespaces " + namespace}
}

// reinstall installs again over the remaining objects.
func (l *lifecycle) reinstall(t *testing.T) {
	if l.helmVersion == "" {
		steps := commandBlocks(t, "operations.md", "Uninstall")
		l.runCommands(t, "group="+group+" image=registry.example.com/claimbridge:v1 certificates=self", fmt.Sprintf(
			"claimbridge() { command claimbridge \"$@\" | sed 's/port: 443$/port: %d/'; }\n", l.port)+steps[4])
	} else {
		args := append([]string{"install", "mine"}, l.chartArgs()...)
		if l.helmVersion == programs.Helm4 {
			// Helm 4 uses server-side apply. The remaining objects have another field manager.
			args = append(args, "--force-conflicts")
		}
		l.helm.run(t, args...)
	}
	if l.helmVersion == programs.Helm3 {
		crds := l.helm.run(t, append([]string{"template", "mine", "--show-only=templates/crds.yaml"}, l.chartArgs()...)...)
		l.Kubectl(t, []byte(crds), "apply", "--server-side", "--force-conflicts", "-f", "-")
	}
	l.redirectService(t)
	l.startServer(t) // with a new CA: the Secret of the earlier one was deleted
	if got, want := l.servedVersions(t), "Webhook true true true true true true"; got != want {
		t.Errorf("after the second install: got conversion strategy and served versions %q, want %q", got, want)
	}
	l.checkClaims(t, "second install")
}

// deployAndUndeploy runs make deploy over the installation, and make undeploy.
func (l *lifecycle) deployAndUndeploy(t *testing.T) {
	output, err := l.runMake(t, "deploy", "GROUP="+group, "IMG="+config.DefaultImage, "CERTIFICATES=self")
	if err != nil {
		t.Errorf("make deploy: %v\n%s", err, output)
	}
	if output, err := l.runMake(t, "undeploy", "GROUP="+group); err != nil {
		t.Errorf("make undeploy: %v\n%s", err, output)
	}
	l.stop()
	l.checkOnlyClaimsRemain(t)
	if output, err := l.runMake(t, "undeploy"); err == nil || !strings.Contains(output, "GROUP is required") {
		t.Errorf("make undeploy without a group: got error %v, want it rejected:\n%s", err, output)
	}
}

// uninstallWithClaims checks that nothing remains if the claims are deleted too: with the documented commands, or with
// a Helm release that does not keep the CRDs.
func (l *lifecycle) uninstallWithClaims(t *testing.T) {
	if l.helmVersion == "" {
		l.runCommands(t, "group="+group, commandBlocks(t, "operations.md", "Uninstall")[5])
	} else {
		l.helm.run(t, append([]string{"upgrade", "mine", "--set=definitions.keep=false"}, l.chartArgs()...)...)
		l.checkClaims(t, "upgrade that removes the keep policy")
		l.helm.run(t, "uninstall", "mine", "--namespace="+namespace)
		l.stop()
	}
	l.awaitInventory(t, "nothing of the installation remains", slices.Concat(l.helmNamespace(), l.before))
	if l.helmVersion != "" {
		l.Kubectl(t, nil, "delete", "namespace", namespace)
		l.awaitInventory(t, "the namespace is deleted", l.before)
	}
}
