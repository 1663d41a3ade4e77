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

// Source returns the folder with the files of a module, in the version that the module in dir pins. It downloads the
// module if Go's module cache does not have it: a program can be in the user's cache when its source is not.
func Source(ctx context.Context, dir, module string) (string, error) {
	command := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off")
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s in %s: %w\n%s", command, dir, err, output)
	}
	var download struct{ Dir string }
	err = json.Unmarshal(output, &download)
	return download.Dir, err
}
