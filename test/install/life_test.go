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
	namespace = config.DefaultNamespace // which the pages name
)

// life is an installation in one of the ways, which is installed, used, changed and uninstalled on a cluster.
type life struct {
	installation
	h helm
	// port of this machine where its Service leads, and the chart that says so.
	port  int
	chart string
	// before it came, what the cluster had.
	before []string
	// claims as they are stored.
	claims string
	server *webhook.Server
	stop   func()
}

// TestLife installs, uses, changes, uninstalls and reinstalls claimbridge in each way, as documented. Claims exist
// throughout, and can be read and written in old versions while a server runs. Certificates of cert-manager or files
// are not issued in this test: in these cases no server is called.
func TestLife(t *testing.T) {
	t.Parallel()
	c := start(t, "")
	// What the controllers of a cluster would add to the roles edit and view.
	for _, role := range []string{"claimbridge-claim-editor", "claimbridge-claim-viewer"} {
		c.Kubectl(t, nil, "create", "rolebinding", role, "-n", "default", "--clusterrole="+role, "--user=editor")
	}
	c.simulateNamespaceDeletion(t)
	for _, w := range ways {
		if !t.Run(w.name, func(t *testing.T) {
			l := &life{
				installation: installation{c, w, group, namespace},
				port:         plane.Port(t),
				before:       c.settled(t),
				stop:         func() {},
			}
			if w.helm != "" {
				l.h, l.chart = newHelm(t, w.helm), reachable(t, l.port)
				l.h.kubeconfig = c.Shell.Kubeconfig
			}
			defer func() { l.stop() }()
			serves := w.certificates == config.Self
			for _, property := range []struct {
				name string
				has  bool
				ask  func(*testing.T)
			}{
				{"it installs by its page", true, l.installs},
				{"claims are converted, completed and validated by way of the Service", serves, l.converts},
				{"metrics are for those who may read them", serves, l.metrics},
				{"a CA of one's own comes by the command of the page", serves, l.ownCA},
				{"upgrades and rollbacks touch no claim", w.helm != "", l.upgrades},
				{"claims stay when it is uninstalled by its page, and nothing else", true, l.uninstalls},
				{"it comes back by its page", serves, l.isReinstalled},
				{"make installs over it, and uninstalls it", w == manifestsSelf, l.uninstalledByMake},
				{"nothing stays when claims go as well", true, l.uninstalledWithClaims},
			} {
				if property.has && !t.Run(property.name, property.ask) {
					t.Fatal("the next ones rely on it")
				}
			}
		}) {
			t.Fatal("the next ways rely on a cluster as it was")
		}
	}
}

// installs with a Service that refers to a port of this machine, and serves there with the permissions of the account.
func (l *life) installs(t *testing.T) {
	switch {
	case l.helm != "":
		notes := l.h.run(t, append([]string{"install", "mine", "--create-namespace"}, l.values()...)...)
		for _, want := range []string{
			"v1beta2 and v1 of " + group, "claimbridge preflight --group=" + group,
			"helm uninstall keeps the CRDs and all claims",
		} {
			if !strings.Contains(notes, want) {
				t.Errorf("the notes do not say %q:\n%s", want, notes)
			}
		}
		l.sizeOfTheRelease(t)
	default:
		stream := strings.ReplaceAll(l.stream(t, l.certificates == config.Self), "port: 443\n",
			fmt.Sprintf("port: %d\n", l.port))
		l.Kubectl(t, []byte(stream), "apply", "--server-side", "-f", "-")
	}
	l.established(t, "resourceclaims."+group, "resourceclaimtemplates."+group)
	l.here(t)
	l.serves(t)
}

// values returns the values of the chart.
func (l *life) values() []string {
	return []string{
		l.chart, "--namespace=" + namespace, "--set=group=" + group, "--set=image.tag=" + imageTag,
		"--set=certificates=" + string(l.certificates),
	}
}

// ownCA waits until the server has another CA.
func (l *life) ownCA(t *testing.T) {
	next, folder := certs.New(t, "the company's", certs.ValidFor(365*day)), t.TempDir()
	for file, text := range map[string][]byte{"next.crt": next.Certificate, "next.key": next.Key} {
		must.Do(t, os.WriteFile(filepath.Join(folder, file), text, 0o600))
	}
	steps := chapter(t, "certificates.md", "self")
	at := slices.IndexFunc(steps, func(step string) bool { return strings.Contains(step, "next.crt") })
	if at < 0 {
		t.Fatal("the page has no command with next.crt")
	}
	l.page(t, "cd "+folder, steps[at])
	l.published(t, next.Certificate)
}

// uninstalls as documented while an editor of a namespace writes claims, twice: the commands can be repeated.
func (l *life) uninstalls(t *testing.T) {
	var e *editor
	if l.certificates == config.Self {
		e = l.edit(t)
	}
	for range 2 {
		for _, step := range l.uninstallCommands(t) {
			l.page(t, "group="+group, step)
			if e != nil {
				e.waitForRounds(t, 5)
			}
		}
		if l.helm != "" {
			break // helm says that there is no such release
		}
	}
	if e != nil {
		e.waitForRounds(t, 20)
		e.end(t)
		e.remove(t)
	}
	l.stop()
	if got := l.conversion(t); got != "None true false false false false false" {
		t.Errorf("old versions are served without a converter: %s", got)
	}
	l.onlyClaimsRemain(t)
	l.unchanged(t, "the uninstall")
}

// onlyClaimsRemain checks that only the claims and the permissions to use them remain.
func (l *life) onlyClaimsRemain(t *testing.T) {
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
	l.expect(t, "claims are kept", slices.Concat(remaining, l.namespaceOfHelm(), l.before))
}

// namespaceOfHelm returns the namespace that helm creates with --create-namespace, and that no uninstall deletes.
func (l *life) namespaceOfHelm() []string {
	if l.helm == "" {
		return nil
	}
	return []string{"namespaces " + namespace}
}

// isReinstalled installs again over the remaining objects.
func (l *life) isReinstalled(t *testing.T) {
	if l.helm == "" {
		steps := chapter(t, "operations.md", "Uninstall")
		l.page(t, "group="+group+" image=registry.example.com/claimbridge:v1 certificates=self", fmt.Sprintf(
			"claimbridge() { command claimbridge \"$@\" | sed 's/port: 443$/port: %d/'; }\n", l.port)+steps[4])
	} else {
		args := append([]string{"install", "mine"}, l.values()...)
		if l.helm == programs.Helm4 {
			// what one applies manifests with is a conflict for the other, as with claimbridge
			// manifests
			args = append(args, "--force-conflicts")
		}
		l.h.run(t, args...)
	}
	if l.helm == programs.Helm3 {
		definitions := l.h.run(t, append([]string{
			"template", "mine", "--show-only=templates/crds.yaml",
		}, l.values()...)...)
		l.Kubectl(t, []byte(definitions), "apply", "--server-side", "--force-conflicts", "-f", "-")
	}
	l.here(t)
	l.serves(t) // with a new CA: the one before was deleted with its Secret
	if got := l.conversion(t); got != "Webhook true true true true true true" {
		t.Errorf("after installing again: %s", got)
	}
	l.alive(t, "second install")
}

// uninstalledByMake installs and uninstalls with make.
func (l *life) uninstalledByMake(t *testing.T) {
	// over what is there
	output, err := l.make(t, "deploy", "GROUP="+group, "IMG="+config.DefaultImage, "CERTIFICATES=self")
	if err != nil {
		t.Errorf("make deploy: %v\n%s", err, output)
	}
	if output, err := l.make(t, "undeploy", "GROUP="+group); err != nil {
		t.Errorf("make undeploy: %v\n%s", err, output)
	}
	l.stop()
	l.onlyClaimsRemain(t)
	if output, err := l.make(t, "undeploy"); err == nil || !strings.Contains(output, "GROUP is required") {
		t.Errorf("make undeploy without a group: %v\n%s", err, output)
	}
}

// uninstalledWithClaims checks that nothing remains if the claims are also deleted: as documented, or by a release that
// does not keep the definitions.
func (l *life) uninstalledWithClaims(t *testing.T) {
	if l.helm == "" {
		l.page(t, "group="+group, chapter(t, "operations.md", "Uninstall")[5])
	} else {
		l.h.run(t, append([]string{"upgrade", "mine", "--set=definitions.keep=false"}, l.values()...)...)
		l.alive(t, "upgrade to what is not kept")
		l.h.run(t, "uninstall", "mine", "--namespace="+namespace)
		l.stop()
	}
	l.expect(t, "nothing is kept", slices.Concat(l.namespaceOfHelm(), l.before))
	if l.helm != "" {
		l.Kubectl(t, nil, "delete", "namespace", namespace)
		l.expect(t, "not even the namespace", l.before)
	}
}
