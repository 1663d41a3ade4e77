//go:build e2e

package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

// page of the documentation whose commands are run.
type page struct {
	text, group, kubeconfig, program string
}

func readPage(t *testing.T, p *plane, name string) page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, p.environment.KubeConfig, 0o600); err != nil {
		t.Fatal(err)
	}
	return page{string(text), p.group, kubeconfig, filepath.Dir(buildProgram(t))}
}

// blocks of commands of a chapter: lines that are set in by four blanks.
func (p page) blocks(t *testing.T, chapter string) (found []string) {
	t.Helper()
	_, text, ok := strings.Cut(p.text, "\n## "+chapter+"\n")
	if !ok {
		t.Fatalf("there is no chapter %q", chapter)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	for part := range strings.SplitSeq(text, "\n\n") {
		if strings.HasPrefix(part, "    ") {
			found = append(found, part)
		}
	}
	return found
}

// run a block of a chapter in a shell.
func (p page) run(t *testing.T, chapter string, block int) string {
	t.Helper()
	blocks := p.blocks(t, chapter)
	if block >= len(blocks) {
		t.Fatalf("%q has only %d blocks of commands", chapter, len(blocks))
	}
	// webhooktest names configurations by their group, so that there may be several.
	commands := strings.ReplaceAll(blocks[block], "webhookconfiguration claimbridge", "webhookconfiguration claimbridge."+p.group)
	shell := exec.CommandContext(t.Context(), "sh", "-eu", "-c", "group="+p.group+"\n"+commands)
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "KUBECONFIG="+p.kubeconfig, "HOME="+shell.Dir,
		"PATH="+p.program+string(os.PathListSeparator)+os.Getenv(controlplane.EnvAssets)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", commands, err, out)
	}
	return string(out)
}
