package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
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
	untracked := ask("git", "ls-files", "--others", "--exclude-standard", "--directory", "--", "*.go", "go.mod", "config")
	s.compiler = ask(r.goProgram(), "env", "GOVERSION")
	if err != nil {
		return s, err
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
		return s, errors.New("there are changes that are not committed, and a release is made from a commit: commit them, or try it with --allow-uncommitted")
	}
	return s, nil
}

func (r *release) goProgram() string {
	if name := os.Getenv("GO"); name != "" {
		return name
	}
	return "go"
}

// command in the repository, and what it prints. Its error has what it said.
func (r *release) command(ctx context.Context, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.Bytes())
	}
	return stdout.Bytes(), nil
}
