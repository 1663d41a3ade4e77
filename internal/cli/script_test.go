package cli

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var update = flag.Bool("update", false, "write what the program printed into the scripts")

// TestMain makes the test binary the program under test when a script runs it: scripts see a real process with its
// real exit code, standard input and output.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"claimbridge": runProcess, pluginName: runProcess})
}

func runProcess() { os.Exit(Main()) }

// TestScripts runs testdata/script. -update writes what the program printed into the scripts.
func TestScripts(t *testing.T) {
	rendered := must.Get(filepath.Abs("../../config/rendered"))(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("RENDERED", rendered)
			env.Setenv("IMAGE", config.DefaultImage)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

// exits is a script command: exits CODE PROGRAM ARG... runs a program that must end with this code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
