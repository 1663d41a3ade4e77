//go:build e2e

package repositories

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// program is the file of claimbridge.
type program string

// convert runs claimbridge convert for the release of the API server.
func (p program) convert(t *testing.T, c clone, flags ...string) (output string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(p), append([]string{"convert", "--to", "1.36", "."}, flags...)...)
	cmd.Dir = string(c)
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// rendered returns a published chart, rendered by Helm for the release that the chart supports, and converted for the
// release of the API server.
func (p program) rendered(t *testing.T, folder string, c *chart) []byte {
	t.Helper()
	helm := programs.Tool(t, programs.Helm4)
	text, err := exec.CommandContext(t.Context(), helm, "template", "x", filepath.Join(folder, c.Folder),
		"--namespace=x", "--kube-version="+c.KubeVersion).Output()
	if err != nil {
		t.Fatalf("render %s: %v", c.Folder, err)
	}
	cmd := exec.CommandContext(t.Context(), string(p), "convert", "--to", "1.36")
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("convert the rendered chart %s: %v", c.Folder, err)
	}
	return out
}

// findings returns the rules of the findings in a JSON report that were not fixed, by file and in the order of the
// text.
func findings(t *testing.T, report []byte) (errors, warnings map[string][]string) {
	t.Helper()
	errors, warnings = map[string][]string{}, map[string][]string{}
	for decoder := json.NewDecoder(bytes.NewReader(report)); decoder.More(); {
		var f struct {
			Rule, Severity, File string
			Fixed                bool
		}
		must.Do(t, decoder.Decode(&f))
		file := filepath.ToSlash(f.File)
		switch {
		case f.Fixed, f.Rule == "": // the last line has the totals
		case f.Severity == "error":
			errors[file] = append(errors[file], f.Rule)
		case f.Rule != "skipped-file":
			warnings[file] = append(warnings[file], f.Rule)
		}
	}
	return errors, warnings
}

// clone of a repository, in a folder.
type clone string

func (c clone) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "core.autocrlf=false",
	}, args...)...)
	cmd.Dir, cmd.Env = string(c), gitenv.Clean()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// commit commits all files.
func (c clone) commit(t *testing.T, message string) {
	t.Helper()
	c.git(t, "add", "--all", "--force")
	c.git(t, "commit", "--quiet", "--allow-empty", "--message="+message)
}

// changedFiles returns the names of the changed files. It fails the test if there are new files.
func (c clone) changedFiles(t *testing.T) (all []string) {
	t.Helper()
	for line := range strings.Lines(c.git(t, "status", "--porcelain", "--untracked-files=all", "--ignored")) {
		name, isChanged := strings.CutPrefix(strings.TrimSuffix(line, "\n"), " M ")
		if !isChanged {
			t.Errorf("neither unchanged nor modified: %s", line)
			continue
		}
		all = append(all, name)
	}
	return all
}

func (c clone) read(t *testing.T, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join(string(c), filepath.FromSlash(name))))(t)
}
