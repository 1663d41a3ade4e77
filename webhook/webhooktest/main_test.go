//go:build e2e

package webhooktest_test

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest asks for one
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}
