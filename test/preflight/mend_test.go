//go:build e2e

package preflight

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// notRun are commands of remedies that do nothing here, each with the reason.
var notRun = map[string]string{
	" logs deployment/":                   "there is no kubelet, so no pod that has a log",
	" describe certificates.cert-manager": "there is no cert-manager",
	" wait --for=condition=Established":   "its definition never is",
}

// shell in which the commands of remedies are run, as somebody would paste them: with kubectl and claimbridge.
func (i *installation) shell(t *testing.T, kubeconfig []byte) {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "kubeconfig")
	must.Do(t, os.WriteFile(file, kubeconfig, 0o600))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", folder, "../../cmd/claimbridge")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build, err, out)
	}
	path := strings.Join([]string{folder, os.Getenv(controlplane.EnvAssets), os.Getenv("PATH")}, string(os.PathListSeparator))
	i.clusterFlags = []string{"--kubeconfig=" + file}
	i.environment = append(os.Environ(), "PATH="+path, "KUBECONFIG="+file, "HOME="+folder, "EDITOR=true")
}

// mend a fault by the commands of its remedies, word for word, and look again: what is found then has a remedy too.
func (i *installation) mend(t *testing.T, f fault, results []preflight.Result) {
	t.Helper()
	ran := map[string]bool{}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		for _, r := range results {
			for _, finding := range r.Findings {
				if finding.Command != "" && !ran[finding.Command] {
					i.paste(t, finding.Command)
					ran[finding.Command] = true
				}
			}
		}
		if f.left != "" || len(f.want) == 0 {
			return
		}
		var err error
		if results, err = i.findings(t); err == nil {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("after the remedies: %v", err)
		}
	}
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
	shell := exec.CommandContext(t.Context(), "sh", "-c", command)
	shell.Env = i.environment
	if out, err := shell.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s\n%s", err, command, out)
	}
	return nil
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
