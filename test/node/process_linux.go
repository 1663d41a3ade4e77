package node

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// killProcessGroupOnCancel makes a command the leader of a process group. When its context ends, all processes of the
// group are killed, including those in the node's namespaces.
func killProcessGroupOnCancel(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}

// signalChildren sends a signal to the children of nsenter, which are in the node.
func signalChildren(nsenter int, s syscall.Signal) error {
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", nsenter))
	for _, child := range strings.Fields(string(children)) {
		pid, parseErr := strconv.Atoi(child)
		err = errors.Join(err, parseErr, syscall.Kill(pid, s))
	}
	return err
}
