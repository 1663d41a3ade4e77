//go:build unix

package files

import "syscall"

// nonblocking is the flag that opens a pipe without waiting for a process at its other end.
const nonblocking = syscall.O_NONBLOCK
