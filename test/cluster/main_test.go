//go:build e2e

package cluster

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

// builtInOff is the control plane whose API server does not serve resource.k8s.io itself, and ownGroup the one that has
// claims in another group in addition to the built-in ones.
var (
	builtInOff = &plane{name: "built-in group off", group: "resource.k8s.io"}
	ownGroup   = &plane{name: "own group", group: "claims.example.com"}
	planes     = []*plane{builtInOff, ownGroup}
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())             // envtest asks for one
	os.Exit(controlplane.Main(withPlanes{m})) //nolint:forbidigo // TestMain
}

// withPlanes are tests between the start and the stop of the planes.
type withPlanes struct{ *testing.M }

func (m withPlanes) Run() int {
	started := each(planes, (*plane).start)
	if started != nil {
		fmt.Fprintln(os.Stderr, started)
	}
	code := 1
	if started == nil {
		code = m.M.Run()
	}
	if err := each(planes, (*plane).stop); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}

// each does something with all planes at once.
func each(planes []*plane, do func(*plane) error) error {
	errs := make([]error, len(planes))
	var all sync.WaitGroup
	for i, p := range planes {
		all.Go(func() { errs[i] = do(p) })
	}
	all.Wait()
	return errors.Join(errs...)
}
