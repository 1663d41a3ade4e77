package gitenv

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCommitsGoToTheRepositoryOfTheFolder checks that git in a folder commits to the folder's repository, although
// GIT_DIR refers to the user's repository, as in a git hook.
func TestCommitsGoToTheRepositoryOfTheFolder(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	userRepository := t.TempDir()
	testRepository := t.TempDir()
	run := func(folder string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{
			"-c", "user.name=test", "-c", "user.email=test@example.com",
		}, args...)...)
		cmd.Dir = folder
		cmd.Env = Clean()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run(userRepository, "init", "--quiet")
	run(userRepository, "commit", "--quiet", "--allow-empty", "--message=user")
	t.Setenv("GIT_DIR", filepath.Join(userRepository, ".git"))
	t.Setenv("GIT_WORK_TREE", userRepository)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(userRepository, ".git", "index"))

	run(testRepository, "init", "--quiet")
	run(testRepository, "commit", "--quiet", "--allow-empty", "--message=test")
	for folder, want := range map[string]string{testRepository: "test\n", userRepository: "user\n"} {
		if got := run(folder, "log", "--format=%s"); got != want {
			t.Errorf("commits in %s: got %q, want %q", folder, got, want)
		}
	}
}
