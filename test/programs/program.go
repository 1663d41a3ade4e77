package programs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Program that Go builds.
type Program struct {
	// Name of its file, without .exe.
	Name string
	// Dir is the folder of the module to build in.
	Dir string
	// Sources are the files of Dir that go into it: module files, and Go files when it has any of its own.
	Sources []string
	// Args of go build: flags, and the package.
	Args []string
	// Env is added to the environment of go build.
	Env []string
}

// reportEvery is how long somebody looks at an unmoving terminal before wondering.
const reportEvery = 30 * time.Second

// build into a file, and say now and then that it goes on.
func (p Program) build(ctx context.Context, file string) error {
	started := time.Now()
	elapsed := func() time.Duration { return time.Since(started).Round(time.Second) }
	build := exec.CommandContext(ctx, "go", append([]string{"build", "-o", file}, p.Args...)...)
	build.Dir = p.Dir
	build.Env = append(append(os.Environ(), "GOFLAGS=-buildvcs=false -mod=readonly", "GOWORK=off"), p.Env...)
	var output bytes.Buffer
	build.Stdout, build.Stderr = &output, &output
	fmt.Fprintf(os.Stderr, "  building %s\n", p.Name)
	if err := build.Start(); err != nil {
		return fmt.Errorf("build %s: %w", p.Name, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- build.Wait() }()
	ticks := time.NewTicker(reportEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			fmt.Fprintf(os.Stderr, "  still building %s, %s\n", p.Name, elapsed())
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("build %s in %s: %w\n%s", p.Name, p.Dir, err, output.Bytes())
			}
			fmt.Fprintf(os.Stderr, "  built %s in %s\n", p.Name, elapsed())
			return nil
		}
	}
}
