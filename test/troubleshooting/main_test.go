//go:build e2e

package troubleshooting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/programs"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())               // envtest asks for one
	os.Exit(controlplane.Main(withPrograms{m})) //nolint:forbidigo // TestMain
}

// folder with the programs of this checkout.
var folder string

// withPrograms are tests after the programs were built.
type withPrograms struct{ *testing.M }

func (m withPrograms) Run() int {
	var err error
	if folder, err = os.MkdirTemp("", "claimbridge-troubleshooting-"); err == nil {
		err = build(folder)
	}
	code := 1
	if err == nil {
		code = m.M.Run()
	}
	if err = errors.Join(err, os.RemoveAll(folder)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func build(folder string) error {
	command := exec.CommandContext(context.Background(), "go", "build", "-o", folder+string(filepath.Separator), "../../cmd/claimbridge", "../../cmd/claimbridge-apiserver")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return nil
}

func program(name string) string { return filepath.Join(folder, programs.File(name)) }
