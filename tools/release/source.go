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
	output := func(name string, args ...string) (text string) {
		if err == nil {
			var out []byte
			out, err = r.command(ctx, nil, name, args...)
			text = strings.TrimSpace(string(out))
		}
		return text
	}
	s.commit = output("git", "rev-parse", "HEAD")
	s.revision = output("git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty")
	seconds := output("git", "log", "-1", "--format=%ct")
	untracked := output("git", "ls-files", "--others", "--exclude-standard", "--directory", "--", "*.go", "go.mod", ".ci",
		"config", "docs/examples")
	s.compiler = output(goProgram(), "env", "GOVERSION")
	if err != nil {
		return s, err
	}
	if untracked == "" {
		if untracked, err = r.ignoredFiles(ctx); err != nil {
			return s, err
		}
	}
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s, fmt.Errorf("time of the commit: %w", err)
	}
	s.time = time.Unix(epoch, 0).UTC()
	if untracked != "" && s.revision == s.commit {
		s.revision += "-dirty"
	}
	if s.revision != s.commit && !r.allowUncommitted {
		text := "there are changes that are not committed, and a release is made from a commit: commit them, or try " +
			"it with --allow-uncommitted"
		if untracked != "" {
			text += "\nuntracked:\n" + untracked
		}
		return s, errors.New(text)
	}
	return s, nil
}

// ignoredFiles returns files that Git ignores and Go would nevertheless compile, run or embed.
func (r *release) ignoredFiles(ctx context.Context) (string, error) {
	const format = `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}` +
		`{{range .GoFiles}}{{$dir}}/{{println .}}{{end}}{{range .SFiles}}{{$dir}}/{{println .}}{{end}}` +
		`{{range .SysoFiles}}{{$dir}}/{{println .}}{{end}}{{range .EmbedFiles}}{{$dir}}/{{println ` +
		`.}}{{end}}{{end}}{{end}}`
	args := []string{"ls-files", "--others", "--", "tools/*.go"}
	for _, platform := range r.platforms {
		files, err := r.packages(ctx, platform, format)
		if err != nil {
			return "", err
		}
		for file := range strings.Lines(string(files)) {
			if file = strings.TrimSpace(file); file != "" {
				args = append(args, ":(literal)"+file)
			}
		}
	}
	slices.Sort(args[4:])
	files, err := r.command(ctx, nil, "git", slices.Compact(args)...)
	return strings.TrimSpace(string(files)), err
}

// files returns the tracked files below paths, by their names in the repository. Untracked files are not released.
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

// packages runs `go list` with a template for each package that is linked into the program of a platform.
func (r *release) packages(ctx context.Context, platform, format string) ([]byte, error) {
	system, arch, _ := strings.Cut(platform, "/")
	return r.command(ctx, []string{
		"GOOS=" + system, "GOARCH=" + arch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off",
	}, goProgram(), "list", "-deps", "-f", format, "./cmd/"+program)
}

// goProgram returns the go command.
func goProgram() string { return cmp.Or(os.Getenv("GO"), "go") }

// command runs a command in the repository and returns its standard output. Its standard error is part of the error.
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
