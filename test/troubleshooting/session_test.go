//go:build e2e

package troubleshooting

import (
	"context"
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
	"github.com/claimbridge/claimbridge/test/troubleshooting/quotes"
)

// TestCommandLine runs the sessions that need no cluster.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	scripts := must.Get(filepath.Glob("testdata/files/*.txtar"))(t)
	run(t, scripts, nil, nil)
}

// runInOrder runs sessions in the order of their names. Each one depends on the cluster's state after the session
// before.
func runInOrder(t *testing.T, scripts string, environ map[string]string, more commands) {
	t.Helper()
	files, err := filepath.Glob(scripts)
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts %s: %v", scripts, err)
	}
	for _, file := range files {
		if !t.Run("session", func(t *testing.T) { run(t, []string{file}, environ, more) }) {
			return
		}
	}
}

// commands of sessions, in addition to those of testscript.
type commands = map[string]func(ts *testscript.TestScript, neg bool, args []string)

// run runs sessions.
func run(t *testing.T, files []string, environ map[string]string, more commands) {
	t.Helper()
	all := quotesOfPage(t)
	pages := must.Get(filepath.Abs(filepath.Dir(pageFile)))(t)
	path := shell.Path(filepath.Dir(built.Claimbridge(t)))
	allCommands := commands{
		"shows": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) != 2 {
				ts.Fatalf("usage: shows 'PART OF A QUOTE' 'COMMAND'")
			}
			quote, err := quotes.Find(all, args[0])
			if err != nil {
				ts.Fatalf("%v", err)
			}
			waitForQuote(ts, quote, args[1])
		},
		"await": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) != 1 {
				ts.Fatalf("usage: await 'COMMAND'")
			}
			if output, ok := repeat(ts, args[0], func(_ string, err error) bool { return err == nil }); !ok {
				ts.Fatalf("the command does not succeed:\n%s", output)
			}
		},
	}
	maps.Copy(allCommands, more)
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                allCommands,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("PAGES", pages)
			env.Setenv("PATH", path)
			for name, value := range environ {
				env.Setenv(name, value)
			}
			return nil
		},
	})
}

// waitForQuote runs a command until it prints a quote of the page.
func waitForQuote(ts *testscript.TestScript, q quotes.Quote, command string) {
	pattern := q.Pattern()
	output, ok := repeat(ts, command, func(output string, _ error) bool { return pattern.MatchString(output) })
	if !ok {
		ts.Fatalf("docs/troubleshooting.md has\n\t%s\nand the command prints\n%s", q, output)
	}
	ts.Logf("%s", output)
}

// repeat runs a command until done returns true, because an API server needs a moment to observe a changed definition,
// webhook, policy or permission.
func repeat(ts *testscript.TestScript, command string,
	done func(output string, err error) bool,
) (output string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), await.Timeout) // the command may not end
	defer cancel()
	err := await.Until(ctx, func() error {
		line := exec.CommandContext(ctx, "sh", "-c", command)
		line.Dir = ts.MkAbs(".")
		for _, name := range []string{"HOME", "PATH", "KUBECONFIG", "LOG", "PORT"} {
			line.Env = append(line.Env, name+"="+ts.Getenv(name))
		}
		last, err := line.CombinedOutput()
		if ctx.Err() != nil {
			return await.Permanent(ctx.Err())
		}
		if output = string(last); done(output, err) {
			return nil
		}
		err = errors.New("not yet")
		if ts.Getenv("KUBECONFIG") == "" {
			return await.Permanent(err) // without a cluster, the output does not change
		}
		return err
	})
	return output, err == nil
}
