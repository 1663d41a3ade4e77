package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
)

// options are the validated flags of the command line.
type options struct {
	name       name.Tag
	entrypoint string // path of the program in the image, in the root folder
	cmd        []string
	user       string
	labels     map[string]string
	programs   []program // one for each platform
	created    time.Time
	output     string
	push       bool
}

// program is a program for a platform, and the programs that the image contains next to it.
type program struct {
	os, arch string
	paths    []string // on this machine; the first is the program
}

// userPattern matches a user ID, or a user ID and a group ID. Names would require /etc/passwd, which the image does
// not have. With runAsNonRoot, a kubelet rejects names, because it cannot verify that a name is not root.
var userPattern = regexp.MustCompile(`^[0-9]+(:[0-9]+)?$`)

// parseOptions parses and validates the command line.
func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{labels: map[string]string{}}
	fs := flag.NewFlagSet("image", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // main prints errors
	nameFlag := fs.String("name", "", "name of the image, with registry and tag")
	fs.StringVar(&o.entrypoint, "entrypoint", "", "path in the image of the program to run, in the root folder")
	fs.Func("cmd", "default argument of the program; may be repeated", func(s string) error {
		o.cmd = append(o.cmd, s)
		return nil
	})
	fs.StringVar(&o.user, "user", "65532:65532", "ID of the user, or USER:GROUP, that runs the program")
	fs.Func("platform",
		"OS/ARCH=FILE[,FILE...], a static program for the platform, and programs to copy next to it; may be repeated",
		o.addPlatform)
	fs.Func("label", "NAME=VALUE, a label of the image and an annotation of its manifests; may be repeated", o.addLabel)
	fs.StringVar(&o.output, "output", "", "file to write an OCI archive to")
	fs.BoolVar(&o.push, "push", false,
		"push to the registry in --name, with the credentials from docker login")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fs.SetOutput(stderr)
		fs.PrintDefaults()
	}
	if err != nil {
		return nil, err
	}
	if o.name, err = name.NewTag(*nameFlag, name.StrictValidation); err != nil {
		return nil, fmt.Errorf("--name=%q: registry, repository and tag are required, like "+
			"ghcr.io/claimbridge/claimbridge:v0.2.0: %w",
			*nameFlag, err)
	}
	if o.created, err = creationTime(os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return nil, err
	}
	switch {
	case fs.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q: only flags are accepted", fs.Arg(0))
	case path.Dir(o.entrypoint) != "/" || path.Clean(o.entrypoint) != o.entrypoint || o.entrypoint == "/" ||
		o.entrypoint == "/tmp":
		return nil, fmt.Errorf("--entrypoint=%q: must be a file in the root folder, like /claimbridge", o.entrypoint)
	case !userPattern.MatchString(o.user):
		return nil, fmt.Errorf("--user=%q: must be a user ID, or a user ID and a group ID like 65532:65532: "+
			"the image has no user names", o.user)
	case len(o.programs) == 0:
		return nil, errors.New("--platform is required, like --platform=linux/amd64=bin/claimbridge")
	case o.output == "" && !o.push:
		return nil, errors.New("--output or --push is required")
	}
	return o, nil
}

func (o *options) addPlatform(s string) error {
	platform, files, _ := strings.Cut(s, "=")
	goos, arch, _ := strings.Cut(platform, "/")
	if _, isKnown := elfMachines[arch]; goos != "linux" || !isKnown || files == "" {
		return errors.New("must be linux/amd64=FILE or linux/arm64=FILE")
	}
	if slices.ContainsFunc(o.programs, func(p program) bool { return p.arch == arch }) {
		return fmt.Errorf("duplicate --platform %s", platform)
	}
	o.programs = append(o.programs, program{os: goos, arch: arch, paths: strings.Split(files, ",")})
	return nil
}

func (o *options) addLabel(s string) error {
	key, value, ok := strings.Cut(s, "=")
	if !ok || key == "" || value == "" {
		return errors.New("must be NAME=VALUE")
	}
	o.labels[key] = value
	return nil
}

// creationTime returns the creation time of the image from SOURCE_DATE_EPOCH, in seconds since 1970:
// https://reproducible-builds.org/specs/source-date-epoch. The default is 1970, because the current time would change
// the digest of each build.
func creationTime(epoch string) (time.Time, error) {
	if epoch == "" {
		return time.Unix(0, 0).UTC(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%q: must be the number of seconds since 1970", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
