//go:build e2e

package preflight

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/built"
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
				if finding.Command != "" && !ran[finding.Command] {
					i.paste(t, finding.Command)
					ran[finding.Command] = true
				}
			}
		}
		if f.Left == "" && len(f.Want) > 0 {
			results, err = i.findings(t)
		}
		return err
	})
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
	results, err := preflight.Run(t.Context(), i.config, preflight.Options{Group: i.group, ClusterFlags: i.clusterFlags})
	for _, r := range results {
		for _, f := range r.Findings {
			err = errors.Join(err, fmt.Errorf("%s: %s: %s", r.Check.Name, f.Object, f.What))
		}
	}
	return results, err
}
