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

// What the command line says by itself needs no cluster.
func TestTheCommandLine(t *testing.T) {
	t.Parallel()
	scripts := must.Get(filepath.Glob("testdata/files/*.txtar"))(t)
	run(t, scripts, nil, nil)
}

// inTurn runs sessions one after the other, by name: what one leaves in a cluster the next one finds.
func inTurn(t *testing.T, scripts string, environ map[string]string, more commands) {
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

// commands of sessions, beside those of testscript.
type commands = map[string]func(ts *testscript.TestScript, neg bool, args []string)

// run sessions.
func run(t *testing.T, files []string, environ map[string]string, more commands) {
	t.Helper()
	all := onPage(t)
	pages := must.Get(filepath.Abs(filepath.Dir(pageFile)))(t)
	path := shell.Path(filepath.Dir(built.Claimbridge(t)))
	known := commands{
		"shows": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) != 2 {
				ts.Fatalf("usage: shows 'PART OF A QUOTE' 'COMMAND'")
			}
			found, err := quotes.Named(all, args[0])
			if err != nil {
				ts.Fatalf("%v", err)
			}
			shows(ts, found, args[1])
		},
		"await": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) != 1 {
				ts.Fatalf("usage: await 'COMMAND'")
			}
			if output, ok := repeat(ts, args[0], func(_ string, err error) bool { return err == nil }); !ok {
				ts.Fatalf("it does not succeed:\n%s", output)
			}
		},
	}
	maps.Copy(known, more)
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                known,
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

// shows runs a command until it prints a quote of the page.
func shows(ts *testscript.TestScript, q quotes.Quote, command string) {
	pattern := q.Pattern()
	output, ok := repeat(ts, command, func(output string, _ error) bool { return pattern.MatchString(output) })
	if !ok {
		ts.Fatalf("docs/troubleshooting.md has\n\t%s\nand what is seen is\n%s", q, output)
	}
	ts.Logf("%s", output)
}

// repeat a command: it takes an API server a moment to see a definition, a webhook, a policy or a
// right that has changed.
func repeat(ts *testscript.TestScript, command string,
	done func(output string, err error) bool,
) (output string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), await.Timeout) // also for a command that does not end
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
			return await.Permanent(err) // nothing that could come about later
		}
		return err
	})
	return output, err == nil
}
