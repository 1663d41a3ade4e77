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

var update = flag.Bool("update", false, "write the output of kubectl into the scripts")

// TestKubectl runs each script of testdata/kubectl as a session with kubectl in a separate namespace.
func TestKubectl(t *testing.T) { withoutBuiltIn.scripts(t, "kubectl") }

// TestKubectlInCustomGroup runs kubectl with a custom group while the API server also serves the built-in one. Users
// need the full name of the resource.
func TestKubectlInCustomGroup(t *testing.T) { customGroup.scripts(t, "own-group") }

func (p *plane) scripts(t *testing.T, folder string) {
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			t := env.T().(testing.TB) // testscript passes the running test
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

// page is a page of the documentation whose commands are run.
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

// commandBlock matches lines that are indented by four spaces.
var commandBlock = regexp.MustCompile(`(?m)(?:^    .*\n?)+`)

// run runs a block of commands of a chapter in a shell. The block must succeed.
func (p page) run(t *testing.T, chapter string, block int) string {
	t.Helper()
	return must.Get(p.tryRun(t, chapter, block))(t)
}

// tryRun runs a block of commands of a chapter in a shell.
func (p page) tryRun(t *testing.T, chapter string, block int) (output string, err error) {
	t.Helper()
	_, text, _ := strings.Cut(p.text, "\n## "+chapter+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	blocks := commandBlock.FindAllString(text, -1)
	if block >= len(blocks) {
		t.Fatalf("chapter %q has only %d blocks of commands", chapter, len(blocks))
	}
	// webhooktest adds the group to the names of configurations, so that several can exist.
	configuration := "webhookconfiguration claimbridge." + p.group
	commands := strings.ReplaceAll(blocks[block], "webhookconfiguration claimbridge", configuration)
	return p.user.Try(t.Context(), "set -eu\ngroup="+p.group+"\n"+commands)
}
