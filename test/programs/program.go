package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Program is a program that `go build` builds.
type Program struct {
	// Name is the name of its file.
	Name string
	// Dir is the folder of the module in which go build runs.
	Dir string
	// Sources are the files in Dir that are inputs of the build: go.mod, go.sum, and the module's Go files, if any.
	Sources []string
	// Args are the arguments of go build: flags and the package.
	Args []string
	// Env has environment variables that are added for go build.
	Env []string
}

// progressInterval is the interval of progress messages.
const progressInterval = 30 * time.Second

// build builds the program into a file, and prints its progress to stderr.
func (p Program) build(ctx context.Context, file string) error {
	start := time.Now()
	printProgress := func(state string) {
		fmt.Fprintf(os.Stderr, "  %s %s, %s\n", state, p.Name, time.Since(start).Round(time.Second))
	}
	progressCtx, stopProgress := context.WithCancel(ctx)
	defer stopProgress()
	go wait.UntilWithContext(progressCtx, func(context.Context) { printProgress("building") }, progressInterval)
	build := exec.CommandContext(ctx, "go", append([]string{"build", "-o", file}, p.Args...)...)
	build.Dir = p.Dir
	build.Env = append(append(os.Environ(), "GOFLAGS=-buildvcs=false -mod=readonly", "GOWORK=off"), p.Env...)
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s in %s: %w\n%s", p.Name, p.Dir, err, output)
	}
	printProgress("built")
	return nil
}
