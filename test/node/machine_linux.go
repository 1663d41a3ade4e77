package node

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/claimbridge/claimbridge/test/node/internal/cgroups"
)

// capabilities without which there are no namespaces, links and mounts: CAP_NET_ADMIN, CAP_SYS_CHROOT, CAP_SYS_PTRACE and CAP_SYS_ADMIN of
// capabilities(7), by their bits.
const capabilities = 1<<12 | 1<<18 | 1<<19 | 1<<21

// missingFromKernel is what root of this process may not, or what the kernel has not.
func missingFromKernel() (missing []string) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return []string{"/proc: mount it: " + err.Error()}
	}
	_, effective, _ := strings.Cut(string(status), "CapEff:")
	effective, _, _ = strings.Cut(strings.TrimSpace(effective), "\n")
	if bits, err := strconv.ParseUint(effective, 16, 64); err != nil || bits&capabilities != capabilities {
		missing = append(missing, "the rights of a machine's root: in a container, run that with --privileged --cgroupns=host")
	}
	if why := cgroups.Missing(); why != "" {
		missing = append(missing, why)
	}
	return missing
}

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
