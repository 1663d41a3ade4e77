//go:build linux

// Package cgroups makes and removes the cgroups of a node, in all hierarchies of the machine.
package cgroups

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// hierarchy of cgroups: where it is mounted, and which controllers it has.
type hierarchy struct {
	folder      string
	unified     bool // of version 2
	controllers []string
}

// hierarchies that are mounted: one of version 2, or one for each controller of version 1, or both.
func hierarchies() ([]hierarchy, error) {
	file, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var found []hierarchy
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		// 36 35 98:0 /root /mountpoint rw,noatime master:1 - cgroup cgroup rw,memory; see proc_pid_mountinfo(5)
		mount, source, _ := strings.Cut(lines.Text(), " - ")
		fields, kind := strings.Fields(mount), strings.Fields(source)
		if len(fields) < 5 || len(kind) < 3 || slices.ContainsFunc(found, func(h hierarchy) bool { return h.folder == fields[4] }) {
			continue
		}
		switch h := (hierarchy{folder: fields[4], unified: kind[0] == "cgroup2"}); kind[0] {
		case "cgroup2":
			data, err := os.ReadFile(filepath.Join(h.folder, "cgroup.controllers"))
			if err != nil {
				return nil, err
			}
			h.controllers = strings.Fields(string(data))
			found = append(found, h)
		case "cgroup":
			h.controllers = strings.Split(kind[2], ",")
			found = append(found, h)
		}
	}
	return found, lines.Err()
}

// needed by a kubelet.
var needed = []string{"cpu", "cpuset", "memory", "pids"}

// Missing says why there can be no cgroups of a node here, with the remedy; empty when there can.
func Missing() string {
	all, err := hierarchies()
	if err != nil {
		return fmt.Sprintf("cgroups: %s", err)
	}
	for _, controller := range needed {
		i := slices.IndexFunc(all, func(h hierarchy) bool { return slices.Contains(h.controllers, controller) })
		if i < 0 {
			return "cgroups: no hierarchy has the controller " + controller + ": mount them at /sys/fs/cgroup, and see cgroup_disable= of the kernel"
		}
		// The root has no type. A folder with processes cannot share out its controllers, and this process is in one.
		if _, err := os.Stat(filepath.Join(all[i].folder, "cgroup.type")); err == nil {
			return "cgroups: " + all[i].folder + " is not the machine's root of cgroups: run the container with --privileged --cgroupns=host"
		}
		probe, err := os.MkdirTemp(all[i].folder, "claimbridge-node-probe-") // each who looks has one of his own
		if err != nil {
			return fmt.Sprintf("cgroups: %s: run as root of the machine, or in a container with --privileged --cgroupns=host", err)
		}
		_ = os.Remove(probe)
	}
	return ""
}
