//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// nonblocking has a pipe opened without waiting for anybody at its other end.
const nonblocking = syscall.O_NONBLOCK

// keepOwner gives a file the owner of another one, if that is allowed, and the group: a container that works as root on somebody's
// files would take them away otherwise. It is an error where another group would get the rights of the one that the file has.
func keepOwner(f *os.File, was fs.FileInfo) error {
	stat, ok := was.Sys().(*syscall.Stat_t)
	if !ok || f.Chown(int(stat.Uid), int(stat.Gid)) == nil || f.Chown(-1, int(stat.Gid)) == nil {
		return nil
	}
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if mine, ok := now.Sys().(*syscall.Stat_t); ok && mine.Gid != stat.Gid && was.Mode().Perm()&0o070 != 0 {
		return errors.New("has a group that a new file cannot be given, and is left as it is; convert it as its owner")
	}
	return nil
}
