package files

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// The expected names are those that git prints.
func TestQuoteIsThatOfGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no git, or there are no such names")
	}
	t.Chdir(t.TempDir())
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "core.quotePath=false"}, args...)...)
		cmd.Env = gitenv.Clean()
		out := must.Get(cmd.Output())(t)
		return string(out)
	}
	git("init", "-q")
	for _, name := range []string{
		"plain.yaml", "with space", "ümlaut\n", "a\nb", "\x1b[31m", "tab\tq\"b\\", "\x7f", "\a\b\v\f\r",
	} {
		must.Do(t, os.WriteFile(name, nil, 0o600))
		if got, want := Quote(name), strings.TrimSuffix(git("ls-files", "--others"), "\n"); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
		must.Do(t, os.Remove(name))
	}
}

// Git escapes these too, unless core.quotePath is false.
func TestQuoteEscapesTerminalControls(t *testing.T) {
	for name, want := range map[string]string{
		"\u009b2J": `"\302\2332J"`,
		"a\u202eb": `"a\342\200\256b"`,
		"\u2028":   `"\342\200\250"`,
		"\xff\x9b": `"\377\233"`,
		"ümlaut":   "ümlaut",
	} {
		if got := Quote(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
