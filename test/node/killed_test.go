//go:build node && linux

package node

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/claimbridge/claimbridge/test/node/needs"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// owner is the variable that makes this program one that owns a node, says which, and waits for its end.
const owner = "CLAIMBRIDGE_NODE_OWNER"

// owned is what it says.
type owned struct {
	Node   *spec
	Keeper int
}

func TestMain(m *testing.M) {
	if os.Getenv(owner) != "" {
		if err := own(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // TestMain
		}
		return
	}
	os.Exit(m.Run()) //nolint:forbidigo // TestMain
}

// own a node with a program in it: as much of a cluster as can leave something behind.
func own() error {
	ctx := context.Background()
	programs, err := needs.Build(ctx)
	if err != nil {
		return err
	}
	c, err := newCluster(ctx, Options{}, programs)
	if err != nil {
		return err
	}
	if err := errors.Join(c.configure(ctx), c.keep(ctx), c.run("etcd", "containerd")(ctx)); err != nil {
		return errors.Join(err, c.Stop())
	}
	if err := json.NewEncoder(os.Stdout).Encode(owned{c.node, c.keeper.process.Process.Pid}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin) // until it is killed, or the test is
	return errors.Join(err, c.Stop())
}

// Killed tests leave nothing behind. The keeper cleans up immediately, or the start of the next node does if the keeper
// was killed too.
func TestKilledOwnersLeaveNothing(t *testing.T) {
	Needed(t)
	tests := map[string]struct {
		kill func(process *os.Process, keeper int) error
		// left until the next node is started.
		left bool
	}{
		"by Ctrl-C":  {kill: func(p *os.Process, _ int) error { return p.Signal(os.Interrupt) }},
		"by SIGKILL": {kill: func(p *os.Process, _ int) error { return p.Kill() }},
		"by SIGKILL, with all": {kill: func(p *os.Process, keeper int) error {
			return errors.Join(syscall.Kill(keeper, syscall.SIGKILL), p.Kill())
		}, left: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			process := exec.CommandContext(t.Context(), os.Args[0])
			process.Env, process.Stderr = append(os.Environ(), owner+"=yes"), t.Output()
			alive := must.Get(process.StdinPipe())(t)
			defer func() { _ = alive.Close() }()
			says := must.Get(process.StdoutPipe())(t)
			must.Do(t, process.Start())
			var got owned
			must.Do(t, json.NewDecoder(bufio.NewReader(says)).Decode(&got))
			wantTraces(t, got.Node)
			must.Do(t, test.kill(process.Process, got.Keeper))
			_ = process.Wait() // it was killed
			if test.left {
				if left := traces(t, got.Node); left["folder"] == "" || left["cgroup"] == "" {
					t.Errorf("no keeper could have cleaned up, but there is only %v", left)
				}
				cleanAfter(t, got)
			}
			wantNone(t, got.Node)
		})
	}
}

// cleanAfter a keeper that was killed, as the next starts do. The kernel closes the files of a process when the last of
// its threads has ended, some time after its first one: until then the node is in use.
func cleanAfter(t *testing.T, of owned) {
	t.Helper()
	await.True(t, "a start cleans up after a keeper that was killed", func() bool {
		if len(traces(t, of.Node)) == 0 {
			return true
		}
		if err := clean(t.Context()); err != nil {
			t.Error(err)
		}
		return false
	})
}
