//go:build node

package webhook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestUnderLoad does not run in parallel with other tests, which would take processor time from its calls.
func TestUnderLoad(t *testing.T) {
	c := start(t)
	c.install(t, "self")
	t.Run("an adversary stops no replica", c.attackUnderLoad)
	t.Run("no call fails during rollouts", c.rolloutUnderLoad)
}

// rolloutUnderLoad restarts the Deployment several times. Each restart replaces both pods behind the Service, and no
// call may fail. A full run also rotates the CA several times meanwhile (test/certificates tests rotations thoroughly).
func (c *cluster) rolloutUnderLoad(t *testing.T) {
	restarts, rotations := 4, 0
	if fullRun() {
		restarts, rotations = 10, 5
	}
	prepared := make([]rotation, rotations)
	for n := range prepared {
		prepared[n] = newRotation(t, fmt.Sprintf("CA number %d", n+2))
	}
	before := c.failedReviews(t)
	l := c.startLoad(t, callsPerSecond())
	var work errgroup.Group
	work.Go(func() error {
		for n := range restarts {
			started := time.Now()
			output, err := c.runShell(t.Context(), os.TempDir(),
				`kubectl rollout restart deployment/claimbridge -n claimbridge-system
kubectl rollout status deployment/claimbridge -n claimbridge-system --timeout=3m`)
			if err != nil {
				return fmt.Errorf("restart %d: %w\n%s", n+1, err, output)
			}
			t.Logf("restart %d of %d in %s", n+1, restarts, since(started))
		}
		return nil
	})
	work.Go(func() error {
		for n, r := range prepared {
			started := time.Now()
			if err := r.run(t.Context(), c); err != nil {
				return fmt.Errorf("rotation %d: %w", n+1, err)
			}
			t.Logf("rotation %d of %d in %s", n+1, rotations, since(started))
		}
		return nil
	})
	if err := work.Wait(); err != nil {
		t.Error(err)
	}
	l.waitForRecovery(t) // the load goes on until the old pods have ended
	if failures := l.end(t); len(failures) > 0 {
		t.Errorf("calls failed:%s", formatCounts(failures))
	}
	// The API server repeats some calls to the webhook by itself, so its log may have more failures than the clients.
	if failed := c.failedReviews(t)[len(before):]; len(failed) > 0 {
		t.Errorf("%d calls to the webhook failed:\n%s", len(failed), strings.Join(failed, "\n"))
	}
	if n := l.successes(); n < 500 {
		t.Errorf("only %d calls succeeded, want at least 500", n)
	}
}

// failedReviews returns the lines of the API server's log about failed calls to a webhook.
func (c *cluster) failedReviews(t *testing.T) []string {
	t.Helper()
	log := must.Get(os.ReadFile(filepath.Join(c.Logs(), "kube-apiserver.log")))(t)
	return slices.DeleteFunc(strings.Split(string(log), "\n"), func(line string) bool {
		return !strings.Contains(line, "Failed calling webhook")
	})
}

// rotation replaces the CA with the command of docs/certificates.md.
type rotation struct {
	dir, command string
	certificate  string
}

func newRotation(t *testing.T, name string) rotation {
	t.Helper()
	next, r := certs.New(t, name, year), rotation{dir: t.TempDir()}
	for _, block := range section(t, "certificates.md", "self") {
		if strings.Contains(block, "next.crt") {
			r.command = block
		}
	}
	for file, text := range map[string][]byte{"next.crt": next.Certificate, "next.key": next.Key} {
		must.Do(t, os.WriteFile(filepath.Join(r.dir, file), text, 0o600))
	}
	r.certificate = string(next.Certificate)
	return r
}

// run replaces the CA, and waits until the new one signs. All bundles contain both for two minutes before that.
func (r rotation) run(ctx context.Context, c *cluster) error {
	if output, err := c.runShell(ctx, r.dir, r.command); err != nil {
		return fmt.Errorf("%s: %w\n%s", r.command, err, output)
	}
	for deadline := time.Now().Add(2 * timeout); time.Now().Before(deadline) &&
		ctx.Err() == nil; time.Sleep(time.Second) {
		secret, err := c.core.CoreV1().Secrets(namespace).Get(ctx, "claimbridge-ca", metav1.GetOptions{})
		if err == nil && string(secret.Data["tls.crt"]) == r.certificate {
			return nil
		}
	}
	return fmt.Errorf("the new CA does not sign after %s", 2*timeout)
}
