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

	"github.com/claimbridge/claimbridge/test/node/requirements"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// helperVariable makes the test binary a helper process, which starts a node, prints it, and waits.
const helperVariable = "CLAIMBRIDGE_NODE_HELPER"

// helperOutput is the output of the helper process.
type helperOutput struct {
	Node       *spec
	Supervisor int // process ID
}

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) != "" {
		if err := runHelper(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // TestMain
		}
		return
	}
	os.Exit(m.Run()) //nolint:forbidigo // TestMain
}

// runHelper starts a node with programs, but no cluster, and runs it until stdin is closed.
func runHelper() error {
	ctx := context.Background()
	programs, err := requirements.BuildPrograms(ctx)
	if err != nil {
		return err
	}
	c, err := newCluster(ctx, Options{}, programs)
	if err != nil {
		return err
	}
	err = errors.Join(c.configure(ctx), c.startSupervisor(ctx), c.startPrograms("etcd", "containerd")(ctx))
	if err != nil {
		return errors.Join(err, c.Stop())
	}
	if err := json.NewEncoder(os.Stdout).Encode(helperOutput{c.node, c.supervisor.process.Process.Pid}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin) // until this process or the test is killed
	return errors.Join(err, c.Stop())
}

// TestKilledTestsLeaveNoObjects checks that the objects of a node are deleted if a test is killed: by the supervisor,
// or by the next start if the supervisor is killed too.
func TestKilledTestsLeaveNoObjects(t *testing.T) {
	SkipIfUnsupported(t)
	tests := map[string]struct {
		kill func(process *os.Process, supervisor int) error
		// supervisorKilled means that the objects exist until the next start.
		supervisorKilled bool
	}{
		"by Ctrl-C":  {kill: func(p *os.Process, _ int) error { return p.Signal(os.Interrupt) }},
		"by SIGKILL": {kill: func(p *os.Process, _ int) error { return p.Kill() }},
		"by SIGKILL, with its supervisor": {kill: func(p *os.Process, supervisor int) error {
			return errors.Join(syscall.Kill(supervisor, syscall.SIGKILL), p.Kill())
		}, supervisorKilled: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			process := exec.CommandContext(t.Context(), os.Args[0])
			process.Env, process.Stderr = append(os.Environ(), helperVariable+"=yes"), t.Output()
			stdin := must.Get(process.StdinPipe())(t)
			defer func() { _ = stdin.Close() }()
			stdout := must.Get(process.StdoutPipe())(t)
			must.Do(t, process.Start())
			var got helperOutput
			must.Do(t, json.NewDecoder(bufio.NewReader(stdout)).Decode(&got))
			expectObjects(t, got.Node)
			must.Do(t, test.kill(process.Process, got.Supervisor))
			_ = process.Wait() // it was killed
			if test.supervisorKilled {
				if objects := findObjects(t, got.Node); objects["folder"] == "" || objects["cgroup"] == "" {
					t.Errorf("objects after the supervisor was killed: got %v, want the folder and the cgroup", objects)
				}
				waitForDeletion(t, got.Node)
			}
			expectNoObjects(t, got.Node)
		})
	}
}

// waitForDeletion deletes the node of a killed supervisor as the next start does. It repeats that, because the kernel
// unlocks the slot when the last thread of the supervisor has ended, which can be after Wait returned.
func waitForDeletion(t *testing.T, n *spec) {
	t.Helper()
	await.True(t, "the next start deletes the node of a killed supervisor", func() bool {
		if len(findObjects(t, n)) == 0 {
			return true
		}
		if err := deleteOrphans(t.Context()); err != nil {
			t.Error(err)
		}
		return false
	})
}
