package beside

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// Build the program into a folder.
func Build(ctx context.Context, folder string) (program string, err error) {
	program = filepath.Join(folder, programs.File(account))
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", build, err, output)
	}
	return program, nil
}
