//go:build e2e

package preflight

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// notRun are commands of remedies that do nothing here, each with the reason.
var notRun = map[string]string{
	" logs deployment/":                   "there is no kubelet, so no pod that has a log",
	" describe certificates.cert-manager": "there is no cert-manager",
	" wait --for=condition=Established":   "its definition never is",
}

// hasShell in which the commands of remedies are run, as somebody would paste them: with kubectl and claimbridge.
func (i *installation) hasShell(t *testing.T, p *plane.Plane) {
	t.Helper()
	i.shell = shell.New(t, p.KubeconfigOf(t, plane.Administrator.Name, "default"), filepath.Dir(built.Claimbridge(t)))
	i.clusterFlags = []string{"--kubeconfig=" + i.shell.Kubeconfig}
}

// mend a fault by the commands of its remedies, word for word, and look again: what is found then has a remedy too.
func (i *installation) mend(t *testing.T, f fault, results []preflight.Result) {
	t.Helper()
	ran := map[string]bool{}
	await.NoError(t, "after the remedies", func() (err error) {
		for _, r := range results {
			for _, finding := range r.Findings {
				commands := []string{
					finding.Command, i.applyCommand(t, finding.Remedy), i.rewriteCommand(t, finding.Remedy),
				}
				for _, command := range commands {
					if command != "" && !ran[command] {
						i.paste(t, command)
						ran[command] = true
					}
				}
			}
		}
		if f.Left == "" && len(f.Want) > 0 {
			results, err = i.findings(t)
		}
		return err
	})
}

var (
	// partOfRemedy is the part that a remedy says to apply again.
	partOfRemedy = regexp.MustCompile(`\(--only=(\w+)\), with the flags of your installation: ` +
		`docs/preflight\.md#apply-the-manifests-again`)
	applyOfPage = regexp.MustCompile(`(?m)^    (claimbridge manifests .*--only=\$part) (\| kubectl apply .*)$`)
)

// applyCommand returns the command of docs/preflight.md that applies the part that a remedy names,
// for this installation. It is empty if the remedy names none.
func (i *installation) applyCommand(t *testing.T, remedy string) string {
	t.Helper()
	part := partOfRemedy.FindStringSubmatch(remedy)
	if part == nil {
		return ""
	}
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	command := applyOfPage.FindStringSubmatch(string(page))
	if command == nil {
		t.Fatal("docs/preflight.md has no command that applies the manifests again")
	}
	ca := filepath.Join(i.shell.Home, "ca.crt")
	must.Do(t, os.WriteFile(ca, i.authority.Certificate, 0o600))
	variables := fmt.Sprintf("group=%s image=%s certificates=%s part=%s", i.group, config.DefaultImage, config.Files,
		part[1])
	flags := " --versions=" + strings.Join(served, ",")
	if part[1] != string(config.ServerPart) {
		flags += " --ca-file=" + ca
	}
	return variables + "\n" + command[1] + flags + " " + command[2]
}

// rewriteCommand returns the commands of docs/operations.md that store all objects in v1, if a
// remedy names that chapter.
func (i *installation) rewriteCommand(t *testing.T, remedy string) string {
	t.Helper()
	if !strings.Contains(remedy, "docs/operations.md#stored-versions") {
		return ""
	}
	page := must.Get(os.ReadFile("../../docs/operations.md"))(t)
	_, chapter, _ := strings.Cut(string(page), "\n## Stored versions\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	commands := "set -e\ngroup=" + i.group + "\n"
	for line := range strings.Lines(chapter) {
		if strings.HasPrefix(line, "    kubectl") && strings.Contains(line, "kubectl patch") &&
			!strings.Contains(line, "--dry-run") {
			commands += line
		}
	}
	return commands
}

// paste a command into a shell.
func (i *installation) paste(t *testing.T, command string) {
	t.Helper()
	if strings.Contains(command, " rollout ") {
		t.Errorf("who pastes it restarts the server unasked: %s", command)
	}
	for part, why := range notRun {
		if strings.Contains(command, part) {
			t.Logf("not run, %s: %s", why, command)
			return
		}
	}
	if err := i.sh(t, command); err != nil {
		t.Errorf("the remedy fails: %v", err)
	}
}

func (i *installation) sh(t *testing.T, command string) error {
	_, err := i.shell.Try(t.Context(), "export EDITOR=true\n"+command)
	return err
}

// findings of another run, as an error.
func (i *installation) findings(t *testing.T) ([]preflight.Result, error) {
	results, err := preflight.Run(t.Context(), i.config,
		preflight.Options{Group: i.group, ClusterFlags: i.clusterFlags})
	for _, r := range results {
		for _, f := range r.Findings {
			err = errors.Join(err, fmt.Errorf("%s: %s: %s", r.Check.Name, f.Object, f.What))
		}
	}
	return results, err
}
