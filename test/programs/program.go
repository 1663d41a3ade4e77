package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Program that Go builds.
type Program struct {
	// Name of its file.
	Name string
	// Dir is the folder of the module to build in.
	Dir string
	// Sources are the files of Dir that go into it: module files, and Go files if the module has any.
	Sources []string
	// Args of go build: flags, and the package.
	Args []string
	// Env is added to the environment of go build.
	Env []string
}

// reportEvery is the interval of progress messages.
const reportEvery = 30 * time.Second

// build into a file, and say now and then that it goes on.
func (p Program) build(ctx context.Context, file string) error {
	started := time.Now()
	say := func(what string) {
		fmt.Fprintf(os.Stderr, "  %s %s, %s\n", what, p.Name, time.Since(started).Round(time.Second))
	}
	going, end := context.WithCancel(ctx)
	defer end()
	go wait.UntilWithContext(going, func(context.Context) { say("building") }, reportEvery)
	build := exec.CommandContext(ctx, "go", append([]string{"build", "-o", file}, p.Args...)...)
	build.Dir = p.Dir
	build.Env = append(append(os.Environ(), "GOFLAGS=-buildvcs=false -mod=readonly", "GOWORK=off"), p.Env...)
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s in %s: %w\n%s", p.Name, p.Dir, err, output)
	}
	say("built")
	return nil
}
