//go:build linux || darwin

package files

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes gives a file the extended attributes of the one whose place it takes, lists of rights among them, as far as that is
// allowed: a file system may have none, and some are the kernel's own.
func keepAttributes(f, was *os.File) {
	size, err := unix.Flistxattr(int(was.Fd()), nil)
	if err != nil || size <= 0 {
		return
	}
	names := make([]byte, size)
	if size, err = unix.Flistxattr(int(was.Fd()), names); err != nil {
		return
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(names[:size]), "\x00"), "\x00") {
		size, err := unix.Fgetxattr(int(was.Fd()), name, nil)
		if err != nil {
			continue
		}
		value := make([]byte, size)
		if size, err = unix.Fgetxattr(int(was.Fd()), name, value); err == nil {
			_ = unix.Fsetxattr(int(f.Fd()), name, value[:size], 0) // what it may not set, nobody can keep
		}
	}
}
