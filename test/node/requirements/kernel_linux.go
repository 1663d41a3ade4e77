package requirements

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// capabilities are required to create namespaces, links and mounts.
const capabilities = 1<<unix.CAP_NET_ADMIN | 1<<unix.CAP_SYS_CHROOT | 1<<unix.CAP_SYS_PTRACE | 1<<unix.CAP_SYS_ADMIN

// missingFromKernel returns the missing capabilities and features of the kernel, each with the remedy.
func missingFromKernel() (missing []string) {
	var has [2]unix.CapUserData // the first element has the capabilities up to 31
	err := unix.Capget(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &has[0])
	if err != nil || has[0].Effective&capabilities != capabilities {
		missing = append(missing,
			"capabilities of root: start the container with --privileged --cgroupns=host")
	}
	for _, controller := range []string{"cpu", "cpuset", "memory", "pids"} { // the kubelet requires them
		if err := checkController(controller); err != nil {
			return append(missing, "cgroups: "+err.Error())
		}
	}
	return missing
}

// checkController returns an error if a node cannot have separate cgroups with a controller. All controllers are in one
// hierarchy of version 2, or each is in one of version 1.
func checkController(controller string) error {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		mount := strings.Fields(line) // cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0; see proc_pid_mounts(5)
		controllers := strings.Split(mount[3], ",")
		if mount[2] == "cgroup2" {
			available, err := os.ReadFile(filepath.Join(mount[1], "cgroup.controllers"))
			if err != nil {
				return err
			}
			controllers = strings.Fields(string(available))
		}
		if !strings.HasPrefix(mount[2], "cgroup") || !slices.Contains(controllers, controller) {
			continue
		}
		// Only the root cgroup has no type. Another cgroup with processes, like this one, cannot delegate controllers.
		if _, err := os.Stat(filepath.Join(mount[1], "cgroup.type")); err == nil {
			return errors.New(mount[1] +
				" is not the machine's root of cgroups: run the container with --privileged --cgroupns=host")
		}
		probe, err := os.MkdirTemp(mount[1], "claimbridge-node-probe-") // unique, because checks can run in parallel
		if err != nil {
			return fmt.Errorf("%w: run as root of the machine, or in a container with --privileged --cgroupns=host",
				err)
		}
		return os.Remove(probe)
	}
	return fmt.Errorf("no hierarchy has the controller %s: mount them at /sys/fs/cgroup, and see cgroup_disable= of "+
		"the kernel",
		controller)
}
