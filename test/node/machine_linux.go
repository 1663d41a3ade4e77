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

// together: all processes that a command becomes end when its context does, those in the node's namespaces included.
func together(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}

// signal the program that nsenter has entered the node with.
func signal(enter int, s syscall.Signal) error {
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", enter))
	for _, child := range strings.Fields(string(children)) {
		id, alsoErr := strconv.Atoi(child)
		err = errors.Join(err, alsoErr, syscall.Kill(id, s))
	}
	return err
}
