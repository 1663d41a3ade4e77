package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Program is a program that Go builds.
type Program struct {
	// Name is the name of its file.
	Name string
	// Dir is the folder of the module to build in.
	Dir string
	// Sources are the files of Dir that are inputs of the build: module files, and Go files if the module has any.
	Sources []string
	// Args are the arguments of go build: flags and the package.
	Args []string
	// Env is added to the environment of go build.
	Env []string
}

// progressInterval is the interval of progress messages.
const progressInterval = 30 * time.Second

// build builds the program into a file, and prints its progress to stderr.
func (p Program) build(ctx context.Context, file string) error {
	started := time.Now()
	printProgress := func(what string) {
		fmt.Fprintf(os.Stderr, "  %s %s, %s\n", what, p.Name, time.Since(started).Round(time.Second))
	}
	building, stop := context.WithCancel(ctx)
	defer stop()
	go wait.UntilWithContext(building, func(context.Context) { printProgress("building") }, progressInterval)
	build := exec.CommandContext(ctx, "go", append([]string{"build", "-o", file}, p.Args...)...)
	build.Dir = p.Dir
	build.Env = append(append(os.Environ(), "GOFLAGS=-buildvcs=false -mod=readonly", "GOWORK=off"), p.Env...)
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s in %s: %w\n%s", p.Name, p.Dir, err, output)
	}
	printProgress("built")
	return nil
}
