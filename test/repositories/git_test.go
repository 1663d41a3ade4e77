//go:build e2e

package repositories

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// clone of a repository, in a folder.
type clone string

func (c clone) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir, cmd.Env = string(c), gitenv.Clean()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// commit all that is there.
func (c clone) commit(t *testing.T, message string) {
	t.Helper()
	c.git(t, "add", "--all", "--force")
	c.git(t, "commit", "--quiet", "--message="+message)
}

// changed files, by their names. There are no others in the folder than there were.
func (c clone) changed(t *testing.T) (all []string) {
	t.Helper()
	for line := range strings.Lines(c.git(t, "status", "--porcelain", "--untracked-files=all", "--ignored")) {
		name, changed := strings.CutPrefix(strings.TrimSuffix(line, "\n"), " M ")
		if !changed {
			t.Errorf("left behind: %s", line)
			continue
		}
		all = append(all, name)
	}
	return all
}

func (c clone) read(t *testing.T, name string) []byte {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(string(c), filepath.FromSlash(name))))(t)
	return text
}

// ignore files from now on, as whoever means to change them by hand later does.
func (c clone) ignore(t *testing.T, names []string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(string(c), ".claimbridgeignore"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("/" + strings.Join(names, "\n/") + "\n")
	if closed := f.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
}
