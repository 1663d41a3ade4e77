//go:build e2e

package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kube "github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

// page of the documentation whose commands are run.
type page struct {
	text, group string
	user        *shell.Shell
}

func readPage(t *testing.T, p *plane, name string) page {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", name)))(t)
	kubeconfig := p.KubeconfigOf(t, kube.Administrator.Name, metav1.NamespaceDefault)
	return page{string(text), p.group, shell.New(t, kubeconfig, filepath.Dir(built.Claimbridge(t)))}
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
	return p.user.Run(t, "set -eu\ngroup="+p.group+"\n"+commands)
}
