// Command release builds the files of a release of claimbridge in one folder: archives of the program, an image,
// manifests, a chart, a kubectl plugin, checksums, bills of materials, provenance, and notes. Builds are reproducible:
// the same commit, version and Go release produce the same bytes. It requires git, bash and the Go module proxy. It
// publishes nothing: see docs/releases.md.
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

// platforms are the platforms with an archive in a release. The image is for the Linux platforms.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// versionPattern matches semantic versions with the prefix v, like Go modules and Git tags. Build metadata is excluded,
// because the tag of an image cannot contain it. Pre-releases are limited to those that internal/build knows: a program
// with any other version would use the image of an older release.
var versionPattern = regexp.MustCompile(
	`^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(alpha|beta|rc)\.[0-9]+)?$`,
)

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
	var platformList string
	fs.StringVar(&r.version, "version", "", "version of the release, like v0.2.0")
	fs.StringVar(&r.root, "root", "../..", "folder of the repository")
	fs.StringVar(&r.output, "output", "dist", "folder of the release: a new one, or an empty one")
	fs.StringVar(&platformList, "platforms", strings.Join(platforms, ","),
		"comma-separated platforms of the archives, like linux/amd64")
	fs.StringVar(&r.registry, "registry", "ghcr.io/claimbridge",
		"registry and path of the image in the manifests and the chart")
	fs.BoolVar(&r.allowUncommitted, "allow-uncommitted", false,
		"include uncommitted changes, for testing; adds -dirty to the commit")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: only flags are accepted", fs.Arg(0))
	}
	if !versionPattern.MatchString(r.version) {
		return fmt.Errorf("--version=%q: must be a semantic version, like v0.2.0 or v0.2.0-rc.1", r.version)
	}
	r.platforms = strings.Split(platformList, ",")
	for _, folder := range []*string{&r.root, &r.output} {
		var err error
		if *folder, err = filepath.Abs(*folder); err != nil {
			return err
		}
	}
	return r.build(ctx)
}
