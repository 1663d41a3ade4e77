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

// rate of the calls under which things are done to the server.
const rate = 200

// TestUnderLoad does not run in parallel with other tests, which would reduce the number of calls.
func TestUnderLoad(t *testing.T) {
	c := start(t)
	c.install(t, "self")
	t.Run("an adversary ends nothing", c.adversary)
	t.Run("rolling over loses nothing", c.rollingOver)
}

// rollingOver restarts the Deployment again and again: each restart drains two pods that a Service
// leads to, and no call may fail. For the figures of the documentation it gives the replicas one
// new CA after the other meanwhile; that this loses nothing is what test/certificates proves.
func (c *cluster) rollingOver(t *testing.T) {
	restarts, rotations := 4, 0
	if full() {
		restarts, rotations = 10, 5
	}
	nexts := make([]rotation, rotations)
	for n := range nexts {
		nexts[n] = newRotation(t, fmt.Sprintf("CA number %d", n+2))
	}
	before := c.lost(t)
	l := c.begin(t, rate)
	var work errgroup.Group
	work.Go(func() error {
		for n := range restarts {
			begun := time.Now()
			said, err := c.try(t.Context(), os.TempDir(),
				`kubectl rollout restart deployment/claimbridge -n claimbridge-system
kubectl rollout status deployment/claimbridge -n claimbridge-system --timeout=3m`)
			if err != nil {
				return fmt.Errorf("restart %d: %w\n%s", n+1, err, said)
			}
			t.Logf("restart %d of %d in %s", n+1, restarts, since(begun))
		}
		return nil
	})
	work.Go(func() error {
		for n, r := range nexts {
			begun := time.Now()
			if err := r.take(t.Context(), c); err != nil {
				return fmt.Errorf("rotation %d: %w", n+1, err)
			}
			t.Logf("rotation %d of %d in %s", n+1, rotations, since(begun))
		}
		return nil
	})
	if err := work.Wait(); err != nil {
		t.Error(err)
	}
	l.settles(t) // what ends late ends under load, too
	if failed := l.end(t); failed > 0 {
		t.Errorf("%d calls failed", failed)
	}
	if lost := c.lost(t)[len(before):]; len(lost) > 0 {
		t.Errorf("%d reviews were lost, also of writes that the API server began again:\n%s", len(lost),
			strings.Join(lost, "\n"))
	}
	if _, answered := l.now(); answered < 1000 {
		t.Errorf("only %d calls were answered: that is no load", answered)
	}
}

// lost reviews, as the API server says in its log.
func (c *cluster) lost(t *testing.T) []string {
	t.Helper()
	log := must.Get(os.ReadFile(filepath.Join(c.Logs(), "kube-apiserver.log")))(t)
	return slices.DeleteFunc(strings.Split(string(log), "\n"), func(line string) bool {
		return !strings.Contains(line, "Failed calling webhook")
	})
}

// full says whether the figures of the documentation are asked for.
func full() bool { return os.Getenv("CLAIMBRIDGE_NODE_FULL") != "" }

// rotation to another CA, by the command of the page on certificates.
type rotation struct {
	folder, command string
	certificate     string
}

func newRotation(t *testing.T, name string) rotation {
	t.Helper()
	next, r := certs.New(t, name, year), rotation{folder: t.TempDir()}
	for _, block := range chapter(t, "certificates.md", "self") {
		if strings.Contains(block, "next.crt") {
			r.command = block
		}
	}
	for file, text := range map[string][]byte{"next.crt": next.Certificate, "next.key": next.Key} {
		must.Do(t, os.WriteFile(filepath.Join(r.folder, file), text, 0o600))
	}
	r.certificate = string(next.Certificate)
	return r
}

// take the step, and wait until the new CA signs. By then every bundle has held both for two minutes.
func (r rotation) take(ctx context.Context, c *cluster) error {
	if said, err := c.try(ctx, r.folder, r.command); err != nil {
		return fmt.Errorf("%s: %w\n%s", r.command, err, said)
	}
	for deadline := time.Now().Add(2 * patience); time.Now().Before(deadline) &&
		ctx.Err() == nil; time.Sleep(time.Second) {
		secret, err := c.core.CoreV1().Secrets(namespace).Get(ctx, "claimbridge-ca", metav1.GetOptions{})
		if err == nil && string(secret.Data["tls.crt"]) == r.certificate {
			return nil
		}
	}
	return fmt.Errorf("in %s the new CA did not come to sign", 2*patience)
}
