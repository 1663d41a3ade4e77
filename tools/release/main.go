// Command release makes everything that a release of claimbridge is, into one folder: archives of
// the program, an image, manifests, a chart, a plugin of kubectl, and what says of them what they
// are (checksums, bills of materials, provenance, notes). The same commit, version and Go give the
// same bytes. It needs git, bash and the Go module proxy, and publishes nothing: docs/releases.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// platforms that a release has archives for. The image is for those of Linux.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// semantic versions with a v, as Go and git tags have them; no build metadata, which a tag of an
// image cannot have. Of those before a release the ones that internal/build knows: a program of
// another would name the image of an older release.
var semantic = regexp.MustCompile(`^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(alpha|beta|rc)\.[0-9]+)?$`)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, log io.Writer) error {
	fs := flag.NewFlagSet("release", flag.ExitOnError)
	r := release{log: log}
	var only string
	fs.StringVar(&r.version, "version", "", "version of the release, like v0.2.0")
	fs.StringVar(&r.root, "root", "../..", "folder of the repository")
	fs.StringVar(&r.output, "output", "dist", "folder of the release: a new one, or an empty one")
	fs.StringVar(&only, "platforms", strings.Join(platforms, ","), "platforms of the archives")
	fs.StringVar(&r.registry, "registry", "ghcr.io/claimbridge",
		"registry and path of the image, as manifests and the chart name it")
	fs.BoolVar(&r.uncommitted, "allow-uncommitted", false,
		"release what is not committed too, to try it; the commit is then named with -dirty")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unknown argument %q: there are flags only", fs.Arg(0))
	}
	if !semantic.MatchString(r.version) {
		return fmt.Errorf("--version=%q: must be a semantic version, like v0.2.0 or v0.2.0-rc.1", r.version)
	}
	r.platforms = strings.Split(only, ",")
	for _, folder := range []*string{&r.root, &r.output} {
		var err error
		if *folder, err = filepath.Abs(*folder); err != nil {
			return err
		}
	}
	return r.make(ctx)
}
