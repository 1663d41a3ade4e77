package gitenv

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// A hook of git sets GIT_DIR. Without this package, commits of tests would go to the user's repository.
func TestOnlyTheRepositoryOfAFolderIsWrittenTo(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	theirs, ours := t.TempDir(), t.TempDir()
	run := func(folder string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{
			"-c", "user.name=test", "-c", "user.email=test@example.com",
		}, args...)...)
		cmd.Dir, cmd.Env = folder, Clean()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run(theirs, "init", "--quiet")
	run(theirs, "commit", "--quiet", "--allow-empty", "--message=theirs")
	t.Setenv("GIT_DIR", filepath.Join(theirs, ".git"))
	t.Setenv("GIT_WORK_TREE", theirs)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(theirs, ".git", "index"))

	run(ours, "init", "--quiet")
	run(ours, "commit", "--quiet", "--allow-empty", "--message=ours")
	for folder, want := range map[string]string{ours: "ours\n", theirs: "theirs\n"} {
		if got := run(folder, "log", "--format=%s"); got != want {
			t.Errorf("the commits are %q, want %q", got, want)
		}
	}
}
