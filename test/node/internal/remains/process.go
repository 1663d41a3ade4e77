//go:build linux

package remains

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"syscall"

	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

// Look at a process: its number, and since when it has it.
func Look(id int) (spec.Process, error) {
	fields, err := stat(id)
	if err != nil {
		return spec.Process{}, err
	}
	return spec.Process{ID: id, Started: string(fields[19])}, nil
}

// stat of a process, from its state on: the third field of proc_pid_stat(5). The one before it is a name in parentheses.
func stat(id int) ([][]byte, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return nil, err
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) < 20 {
		return nil, fmt.Errorf("/proc/%d/stat: %q has too few fields", id, data)
	}
	return fields, nil
}

// end the first process of a node. The kernel ends all others of its namespace before it lets go of it.
func end(ctx context.Context, p spec.Process) error {
	if p.ID == 0 {
		return nil
	}
	gone := func() (bool, error) {
		fields, err := stat(p.ID)
		if err != nil || string(fields[19]) != p.Started {
			return true, nil //nolint:nilerr // no such process, or another one
		}
		return fields[0][0] == 'Z', nil // all of its namespace have ended; nobody has asked how it did
	}
	if is, _ := gone(); is {
		return nil
	}
	if err := syscall.Kill(p.ID, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		return fmt.Errorf("kill process %d: %w", p.ID, err)
	}
	return until(ctx, fmt.Sprintf("process %d was killed, but is still there", p.ID), gone)
}
