package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/gitenv"
	"github.com/claimbridge/claimbridge/test/oracle"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestReleases(t *testing.T) {
	for name, test := range map[string]struct {
		day   int64
		rules string
		want  string
	}{
		"first day":                  {day: 0, want: "1.26"},
		"second day":                 {day: 1, want: "1.30"},
		"day after the last release": {day: int64(len(oracle.Published())), want: "1.26"},
		"changed rule": {
			day:   0,
			rules: `Source: "Kubernetes 1.36 to 1.37 DS11"`,
			want:  "1.26 1.37",
		},
		"changed rule without an end": {day: 0, rules: `"Kubernetes 1.36+ DS11"`, want: "1.26 1.37"},
		"changed rule of one release": {day: 0, rules: `Source:    "Kubernetes 1.30 DS11"`, want: "1.26 1.30"},
		"changed rule with gaps": {
			day:   0,
			rules: `Source: "Kubernetes 1.26 CT14, 1.30 CT14, 1.36 DT1"`,
			want:  "1.26 1.36",
		},
		"more changed releases than the limit": {
			day:   0,
			rules: `Source: "Kubernetes 1.26, 1.30, 1.31+ DT1"`,
			want:  "1.26 1.37",
		},
		"several changed rules": {
			day:   2,
			rules: `Source: "Kubernetes 1.26 to 1.30 C1", Source: "Kubernetes 1.37 X"`,
			want:  "1.31 1.37",
		},
		"changed rule of claimbridge": {day: 0, rules: `Source: "claimbridge"`, want: "1.26"},
	} {
		if got := strings.Join(releases(test.day, test.rules), " "); got != test.want {
			t.Errorf("%s: want %s, got %s", name, test.want, got)
		}
	}
}

// TestChangedRules checks that a change is compared with its merge base, and that the whole file of a rule is searched.
func TestChangedRules(t *testing.T) {
	clone := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), "git", append([]string{
			"-c", "user.name=test", "-c", "user.email=test@example.com",
		}, args...)...)
		command.Dir, command.Env = clone, gitenv.Clean()
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write := func(rule, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(clone, "validation", rule+".go"), []byte(text), 0o600))
		git("add", ".")
		git("commit", "--message="+rule)
	}
	must.Do(t, os.Mkdir(filepath.Join(clone, "validation"), 0o700))
	git("init", "--initial-branch=main")
	write("changed", "Source: \"Kubernetes 1.32 X\"\n\n\n\n\n\n\n\n\n\n\n\n// before\n")
	git("checkout", "-b", "change")
	write("changed", "Source: \"Kubernetes 1.32 X\"\n\n\n\n\n\n\n\n\n\n\n\n// after\n")
	git("checkout", "main")
	write("others", "Source: \"Kubernetes 1.35 X\"\n") // not on the branch
	git("checkout", "change")
	rules, err := changedRules(clone, "main")
	if got := strings.Join(releases(0, rules), " "); err != nil || got != "1.26 1.32" {
		t.Errorf("%s, %v, of\n%s", got, err, rules)
	}
	if _, err := changedRules(clone, "origin/main"); err == nil {
		t.Error("no error for a missing base")
	}
}
