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

const repository = "https://github.com/claimbridge/claimbridge"

// source of the release: a commit, which is its only clock.
type source struct {
	commit   string // 40 hexadecimal digits
	revision string // the commit, with -dirty when files differ from it
	time     time.Time
	compiler string // as go version has it, like go1.26.8
}

func (r *release) readSource(ctx context.Context) (s source, err error) {
	ask := func(name string, args ...string) (answer string) {
		if err == nil {
			var out []byte
			out, err = r.command(ctx, nil, name, args...)
			answer = strings.TrimSpace(string(out))
		}
		return answer
	}
	s.commit = ask("git", "rev-parse", "HEAD")
	s.revision = ask("git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty")
	seconds := ask("git", "log", "-1", "--format=%ct")
	untracked := ask("git", "ls-files", "--others", "--exclude-standard", "--directory", "--", "*.go", "go.mod", ".ci",
		"config", "docs/examples")
	s.compiler = ask(goProgram(), "env", "GOVERSION")
	if err != nil {
		return s, err
	}
	if untracked == "" {
		if untracked, err = r.ignored(ctx); err != nil {
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
	if s.revision != s.commit && !r.uncommitted {
		text := "there are changes that are not committed, and a release is made from a commit: commit them, or try " +
			"it with --allow-uncommitted"
		if untracked != "" {
			text += "\nuntracked:\n" + untracked
		}
		return s, errors.New(text)
	}
	return s, nil
}

// ignored files that Go would link or run all the same, or embed, though no commit has them.
func (r *release) ignored(ctx context.Context) (string, error) {
	const format = `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}` +
		`{{range .GoFiles}}{{$dir}}/{{println .}}{{end}}{{range .SFiles}}{{$dir}}/{{println .}}{{end}}` +
		`{{range .SysoFiles}}{{$dir}}/{{println .}}{{end}}{{range .EmbedFiles}}{{$dir}}/{{println ` +
		`.}}{{end}}{{end}}{{end}}`
	ask := []string{"ls-files", "--others", "--", "tools/*.go"}
	for _, platform := range r.platforms {
		files, err := r.packages(ctx, platform, format)
		if err != nil {
			return "", err
		}
		for file := range strings.Lines(string(files)) {
			if file = strings.TrimSpace(file); file != "" {
				ask = append(ask, ":(literal)"+file)
			}
		}
	}
	slices.Sort(ask[4:])
	found, err := r.command(ctx, nil, "git", slices.Compact(ask)...)
	return strings.TrimSpace(string(found)), err
}

// files that git has for paths, by their names in the repository: whatever else lies beside them goes into nothing.
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

// packages that are linked into the program of a platform, each as the template has it.
func (r *release) packages(ctx context.Context, platform, format string) ([]byte, error) {
	system, arch, _ := strings.Cut(platform, "/")
	return r.command(ctx, []string{
		"GOOS=" + system, "GOARCH=" + arch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off",
	}, goProgram(), "list", "-deps", "-f", format, "./cmd/"+program)
}

func goProgram() string { return cmp.Or(os.Getenv("GO"), "go") }

// command in the repository, and what it prints. Its error has what it said.
func (r *release) command(ctx context.Context, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, failed.Stderr)
	}
	return out, err
}
