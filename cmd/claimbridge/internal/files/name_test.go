package files

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/gitenv"
)

// git is asked how it quotes names, and reads none of them otherwise than it was.
func TestNamesAreQuotedAsGitQuotesThem(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no git, or there are no such names")
	}
	t.Chdir(t.TempDir())
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "core.quotePath=false"}, args...)...)
		cmd.Env = gitenv.Clean()
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	git("init", "-q")
	for _, name := range []string{"plain.yaml", "with space", "ümlaut\n", "a\nb", "\x1b[31m", "tab\tq\"b\\", "\x7f", "\a\b\v\f\r", "\xff\n"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, want := Quoted(name), strings.TrimSuffix(git("ls-files", "--others"), "\n"); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}
