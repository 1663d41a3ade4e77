package main

import (
	"fmt"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// keepAwake has every core compute when nobody else wants it, until stop is called. With one caller a machine that does nothing else goes to
// sleep between two steps of a call, and a call through an aggregated API server has more of them. In a control plane that is in use others keep
// the cores awake.
func (b *bench) keepAwake() (stop func(), err error) {
	var all []*exec.Cmd
	stop = func() {
		for _, c := range all {
			_ = c.Process.Kill()
			_ = c.Wait() // killed
		}
	}
	for range runtime.NumCPU() {
		c := exec.CommandContext(b, "sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			return stop, err
		}
		all = append(all, c)
		idle := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}
		if err := unix.SchedSetAttr(c.Process.Pid, idle, 0); err != nil {
			return stop, fmt.Errorf("run a process when nobody else wants to run: %w", err)
		}
	}
	return stop, nil
}
