package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// repository is the URL of the project.
const repository = "https://github.com/claimbridge/claimbridge"

// source is the commit of a release. Its time is the only time in the release.
type source struct {
	commit   string // 40 hexadecimal digits
	revision string // the commit, with the suffix -dirty if files differ from it
	time     time.Time
	compiler string // version of Go, like go1.26.8
}

// readSource returns the commit. It is an error if files that go into the release are not committed, unless
// --allow-uncommitted is set.
func (r *release) readSource(ctx context.Context) (s source, err error) {
	if s.commit, err = r.trimmedOutput(ctx, "git", "rev-parse", "HEAD"); err != nil {
		return s, err
	}
	s.revision, err = r.trimmedOutput(ctx, "git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty")
	if err != nil {
		return s, err
	}
	seconds, err := r.trimmedOutput(ctx, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return s, err
	}
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s, fmt.Errorf("time of the commit: %w", err)
	}
	s.time = time.Unix(epoch, 0).UTC()
	if s.compiler, err = r.trimmedOutput(ctx, goProgram(), "env", "GOVERSION"); err != nil {
		return s, err
	}
	untracked, err := r.untrackedFiles(ctx)
	if err != nil {
		return s, err
	}
	if untracked != "" && s.revision == s.commit {
		s.revision += "-dirty"
	}
	if s.revision == s.commit || r.allowUncommitted {
		return s, nil
	}
	text := "there are uncommitted changes, and a release is built from a commit: commit them, or use " +
		"--allow-uncommitted for a test"
	if untracked != "" {
		text += "\nuntracked:\n" + untracked
	}
	return s, errors.New(text)
}

// trimmedOutput runs a command like command, and returns its standard output without leading and trailing space.
func (r *release) trimmedOutput(ctx context.Context, name string, args ...string) (string, error) {
	out, err := r.command(ctx, nil, name, args...)
	return strings.TrimSpace(string(out)), err
}

// untrackedFiles returns untracked files that a release would contain, one per line. If there are none, it returns
// ignored files that Go would use.
func (r *release) untrackedFiles(ctx context.Context) (string, error) {
	files, err := r.trimmedOutput(ctx, "git", "ls-files", "--others", "--exclude-standard", "--directory", "--",
		"*.go", "go.mod", ".ci", "config", "docs/examples")
	if err != nil || files != "" {
		return files, err
	}
	return r.ignoredFiles(ctx)
}

// ignoredFiles returns files that Git ignores but Go would compile, run or embed, one per line.
func (r *release) ignoredFiles(ctx context.Context) (string, error) {
	const format = `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}` +
		`{{range .GoFiles}}{{$dir}}/{{println .}}{{end}}{{range .SFiles}}{{$dir}}/{{println .}}{{end}}` +
		`{{range .SysoFiles}}{{$dir}}/{{println .}}{{end}}{{range .EmbedFiles}}{{$dir}}/{{println ` +
		`.}}{{end}}{{end}}{{end}}`
	patterns := []string{"tools/*.go"}
	for _, platform := range r.platforms {
		files, err := r.packages(ctx, platform, format)
		if err != nil {
			return "", err
		}
		for file := range strings.Lines(string(files)) {
			if file = strings.TrimSpace(file); file != "" {
				patterns = append(patterns, ":(literal)"+file)
			}
		}
	}
	slices.Sort(patterns)
	args := append([]string{"ls-files", "--others", "--"}, slices.Compact(patterns)...)
	return r.trimmedOutput(ctx, "git", args...)
}

// files returns the tracked files below paths. Their names are paths in the repository. Untracked files are not
// released.
func (r *release) files(ctx context.Context, paths ...string) (entries []entry, err error) {
	names, err := r.command(ctx, nil, "git", append([]string{"ls-files", "--error-unmatch", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	for _, name := range strings.FieldsFunc(string(names), func(c rune) bool { return c == 0 }) {
		content, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{Name: name, Mode: 0o644, Content: content})
	}
	return entries, nil
}

// packages runs `go list` for the program of a platform, and returns the output of a template for each linked package.
func (r *release) packages(ctx context.Context, platform, format string) ([]byte, error) {
	goos, goarch, _ := strings.Cut(platform, "/")
	return r.command(ctx, []string{
		"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off",
	}, goProgram(), "list", "-deps", "-f", format, "./cmd/"+program)
}

// goProgram returns the go command.
func goProgram() string { return cmp.Or(os.Getenv("GO"), "go") }

// command runs a command in the root of the repository and returns its standard output. An error contains its standard
// error.
func (r *release) command(ctx context.Context, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if exitErr := new(exec.ExitError); errors.As(err, &exitErr) {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, exitErr.Stderr)
	}
	return out, err
}
