//go:build e2e

package troubleshooting

import (
	"path/filepath"
	"testing"
)

// What users of claimbridge in a cluster see, in the order of an installation's life: a control plane with default flags, and the server with
// the rights of its account. What has to do with other groups goes on beside that.
func TestTheWebhookServer(t *testing.T) {
	t.Parallel()
	c := start(t)
	environ := c.environ()
	environ["DROPPING"] = dropping(t)
	t.Run("beside it", func(t *testing.T) {
		t.Parallel()
		scripts, err := filepath.Glob("testdata/beside/*.txtar")
		if err != nil || len(scripts) == 0 {
			t.Fatalf("no scripts: %v", err)
		}
		run(t, scripts, environ, nil)
	})
	t.Run("in turn", func(t *testing.T) {
		t.Parallel()
		inTurn(t, "testdata/webhook/*.txtar", environ, commands{"server": c.server})
	})
}
