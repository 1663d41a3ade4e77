//go:build e2e

package cluster

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kube "github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

var update = flag.Bool("update", false, "write what kubectl printed into the scripts")

// Each script of testdata is a session with kubectl in its own namespace.
func TestKubectl(t *testing.T) { builtInOff.scripts(t, "kubectl") }

// Beside the built-in group the same works, under the full name of the resource.
func TestKubectlInOwnGroup(t *testing.T) { ownGroup.scripts(t, "own-group") }

func (p *plane) scripts(t *testing.T, folder string) {
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			t := env.T().(testing.TB) // testscript hands out the test that it runs in
			s := p.space(t)
			kubeconfig := filepath.Join(env.WorkDir, ".kubeconfig")
			if err := os.WriteFile(kubeconfig, s.kubeconfig(t), 0o600); err != nil {
				return err
			}
			env.Setenv("KUBECONFIG", kubeconfig)
			env.Setenv("KUBECACHEDIR", cache)
			env.Setenv("NAMESPACE", s.namespace)
			env.Setenv("PATH", shell.Path())
			return nil
		},
	})
}

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

// commandBlock is lines that are set in by four blanks.
var commandBlock = regexp.MustCompile(`(?m)(?:^    .*\n?)+`)

// run runs a block of commands of a chapter in a shell. The block must succeed.
func (p page) run(t *testing.T, chapter string, block int) string {
	t.Helper()
	return must.Get(p.try(t, chapter, block))(t)
}

// try runs a block of commands of a chapter in a shell.
func (p page) try(t *testing.T, chapter string, block int) (output string, err error) {
	t.Helper()
	_, text, _ := strings.Cut(p.text, "\n## "+chapter+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	blocks := commandBlock.FindAllString(text, -1)
	if block >= len(blocks) {
		t.Fatalf("%q has only %d blocks of commands", chapter, len(blocks))
	}
	// webhooktest names configurations by their group, so that there may be several.
	ours := "webhookconfiguration claimbridge." + p.group
	commands := strings.ReplaceAll(blocks[block], "webhookconfiguration claimbridge", ours)
	return p.user.Try(t.Context(), "set -eu\ngroup="+p.group+"\n"+commands)
}
