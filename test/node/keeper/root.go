//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

// mount of a file system, in the words of mount(2).
type mount struct {
	source, target, kind string
	flags                uintptr
	data                 string
}

const bind, all = syscall.MS_BIND, syscall.MS_REC

// root of the node: programs and libraries of the machine, which cannot be written; its devices and cgroups; all else is
// the node's own and in memory.
func root(node *spec.Node) error {
	at := func(path string) string { return filepath.Join(node.Folder, "root", path) }
	if err := apply([]mount{{target: "/", flags: all | syscall.MS_PRIVATE}, {"tmpfs", at("/"), "tmpfs", 0, "mode=0755"}}); err != nil {
		return err
	}
	mounts, err := system(at)
	if err != nil {
		return err
	}
	mounts = append(mounts,
		mount{"/dev", at("/dev"), "", bind | all, ""},
		mount{"proc", at("/proc"), "proc", syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC, ""},
		mount{"sysfs", at("/sys"), "sysfs", syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC, ""},
		mount{"/sys/fs/cgroup", at("/sys/fs/cgroup"), "", bind | all, ""},
		mount{"tmpfs", at("/run"), "tmpfs", syscall.MS_NOSUID | syscall.MS_NODEV, "mode=0755"},
		mount{"tmpfs", at("/var"), "tmpfs", 0, "mode=0755,size=" + strconv.FormatInt(node.Disk, 10)},
		mount{"tmpfs", at(spec.Etcd), "tmpfs", 0, "mode=0700"}, // apart from the disk: a full one is the pods' matter
		mount{node.Folder, at(spec.State), "", bind, ""},
	)
	for path, folder := range node.Binds {
		mounts = append(mounts, readOnly(folder, at(path))...)
	}
	if err := apply(mounts); err != nil {
		return err
	}
	for _, folder := range []string{"/var/lib/kubelet", "/var/lib/containerd", "/var/log/pods", "/var/tmp", "/run/lock", "/etc/cdi"} {
		if err := os.MkdirAll(at(folder), 0o755); err != nil {
			return err
		}
	}
	if err := os.Symlink("/run", at("/var/run")); err != nil {
		return err
	}
	if err := settings(at); err != nil {
		return err
	}
	if err := os.Mkdir(at("/tmp"), 0o777); err != nil {
		return err
	}
	if err := os.Chmod(at("/tmp"), 0o1777|os.ModeSticky); err != nil {
		return err
	}
	return change(at)
}

// system of the machine. On most of them all but usr are links into it.
func system(at func(string) string) (mounts []mount, err error) {
	for _, folder := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"} {
		info, err := os.Lstat(folder)
		if err != nil {
			continue // not every machine has each
		}
		if info.Mode()&os.ModeSymlink == 0 {
			mounts = append(mounts, readOnly(folder, at(folder))...)
			continue
		}
		to, err := os.Readlink(folder)
		if err == nil {
			err = os.Symlink(to, at(folder))
		}
		if err != nil {
			return nil, err
		}
	}
	upper, work := at("/node/etc/upper"), at("/node/etc/work")
	for _, folder := range []string{upper, work} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
	}
	return append(mounts, mount{"overlay", at("/etc"), "overlay", 0, fmt.Sprintf("lowerdir=/etc,upperdir=%s,workdir=%s", upper, work)}), nil
}

func readOnly(source, target string) []mount {
	return []mount{{source, target, "", bind, ""}, {"", target, "", bind | syscall.MS_REMOUNT | syscall.MS_RDONLY, ""}}
}

// apply mounts, and make the folders where they are missing.
func apply(mounts []mount) error {
	for _, m := range mounts {
		if err := os.MkdirAll(m.target, 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(m.source, m.target, m.kind, m.flags, m.data); err != nil {
			return fmt.Errorf("mount %s %s at %s: %w", m.kind, m.source, m.target, err)
		}
	}
	return nil
}

// change to the new root and forget the old one. From now on what is mounted in it is seen in the containers that ask for
// that, and only there.
func change(at func(string) string) error {
	old := "/node/machine"
	if err := os.MkdirAll(at(old), 0o700); err != nil {
		return err
	}
	if err := syscall.PivotRoot(at("/"), at(old)); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	if err := syscall.Unmount(old, syscall.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount the machine's root: %w", err)
	}
	if err := os.Remove(old); err != nil {
		return err
	}
	if err := syscall.Mount("", "/", "", all|syscall.MS_SHARED, ""); err != nil {
		return err
	}
	return syscall.Sethostname([]byte(spec.Hostname))
}
