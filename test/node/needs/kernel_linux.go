package needs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// capabilities without which there are no namespaces, links and mounts.
const capabilities = 1<<unix.CAP_NET_ADMIN | 1<<unix.CAP_SYS_CHROOT | 1<<unix.CAP_SYS_PTRACE | 1<<unix.CAP_SYS_ADMIN

// missingFromKernel is what root of this process may not, or what the kernel has not.
func missingFromKernel() (missing []string) {
	var has [2]unix.CapUserData // of which the first one has these
	err := unix.Capget(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &has[0])
	if err != nil || has[0].Effective&capabilities != capabilities {
		missing = append(missing,
			"the rights of a machine's root: in a container, run that with --privileged --cgroupns=host")
	}
	for _, controller := range []string{"cpu", "cpuset", "memory", "pids"} { // a kubelet needs them
		if err := mayShare(controller); err != nil {
			return append(missing, "cgroups: "+err.Error())
		}
	}
	return missing
}

// mayShare returns an error if a node cannot have separate cgroups of a controller. All controllers are in one
// hierarchy of version 2, or each is in one of version 1.
func mayShare(controller string) error {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		mount := strings.Fields(line) // cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0; see proc_pid_mounts(5)
		controllers := strings.Split(mount[3], ",")
		if mount[2] == "cgroup2" {
			given, err := os.ReadFile(filepath.Join(mount[1], "cgroup.controllers"))
			if err != nil {
				return err
			}
			controllers = strings.Fields(string(given))
		}
		if !strings.HasPrefix(mount[2], "cgroup") || !slices.Contains(controllers, controller) {
			continue
		}
		// The root has no type. A folder with processes cannot share out its controllers, and this process is in one.
		if _, err := os.Stat(filepath.Join(mount[1], "cgroup.type")); err == nil {
			return errors.New(mount[1] +
				" is not the machine's root of cgroups: run the container with --privileged --cgroupns=host")
		}
		probe, err := os.MkdirTemp(mount[1], "claimbridge-node-probe-") // each who looks has one of his own
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
