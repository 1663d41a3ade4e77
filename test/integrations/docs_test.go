//go:build e2e

package integrations

import (
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestDocsHaveTheTestedCommands checks that docs/integrations.md has the commands and flags that the tests use.
func TestDocsHaveTheTestedCommands(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/integrations.md"))(t)
	for name, text := range map[string]string{
		"the pipe from kustomize": "kustomize build . | claimbridge convert --to 1.36 --atomic | kubectl apply -f -\n",
		"the flags of Helm 3": "--post-renderer claimbridge --post-renderer-args convert --post-renderer-args " +
			"--atomic --post-renderer-args --to=1.36\n",
		"the flags of Helm 4": "--post-renderer claimbridge --post-renderer-args --to=1.36\n",
		"the hook":            "- id: claimbridge\n        args: [--to=1.36]\n",
	} {
		if !strings.Contains(string(page), text) {
			t.Errorf("docs/integrations.md does not have %s:\n%s", name, text)
		}
	}
}
