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

// Root is the folder of the repository, by where this file is.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// Source is the folder with the files of a module, in the version that the module of a folder pins.
// It is in Go's module cache, or downloaded: a program that is built from it may be kept longer
// than its source.
func Source(ctx context.Context, dir, module string) (string, error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	download.Dir, download.Env = dir, append(os.Environ(), "GOWORK=off")
	output, err := download.Output()
	if err != nil {
		return "", fmt.Errorf("%s in %s: %w\n%s", download, dir, err, output)
	}
	var found struct{ Dir string }
	err = json.Unmarshal(output, &found)
	return found.Dir, err
}
