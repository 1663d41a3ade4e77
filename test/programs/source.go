package programs

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Root returns the root folder of the repository.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// Source returns the folder with the source of a module, in the version that the module in dir requires. It downloads
// the source if it is not in Go's module cache, which does not need the sources of programs in the user's cache.
func Source(ctx context.Context, dir, module string) (string, error) {
	command := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK=off")
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s in %s: %w\n%s", command, dir, err, output)
	}
	var download struct{ Dir string }
	err = json.Unmarshal(output, &download)
	return download.Dir, err
}
