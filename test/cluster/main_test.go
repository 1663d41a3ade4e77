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

// withoutBuiltIn is the control plane whose API server does not serve the built-in resource.k8s.io. customGroup is the
// one with claims in another group in addition to the built-in ones.
var (
	withoutBuiltIn = &plane{name: "without built-in group", group: "resource.k8s.io"}
	customGroup    = &plane{name: "custom group", group: "claims.example.com"}
	planes         = []*plane{withoutBuiltIn, customGroup}
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())             // otherwise controller-runtime logs a warning
	os.Exit(controlplane.Main(planeTests{m})) //nolint:forbidigo // TestMain
}

// planeTests starts the control planes before the tests, and stops them after them.
type planeTests struct{ *testing.M }

func (m planeTests) Run() int {
	err := forAllPlanes(planes, (*plane).start)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	code := 1
	if err == nil {
		code = m.M.Run()
	}
	if err := forAllPlanes(planes, (*plane).stop); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}

// forAllPlanes calls a function for all planes concurrently.
func forAllPlanes(planes []*plane, do func(*plane) error) error {
	errs := make([]error, len(planes))
	var all sync.WaitGroup
	for i, p := range planes {
		all.Go(func() { errs[i] = do(p) })
	}
	all.Wait()
	return errors.Join(errs...)
}
