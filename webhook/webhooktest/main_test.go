package webhooktest_test

import (
	"os"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

func TestMain(m *testing.M) {
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}
