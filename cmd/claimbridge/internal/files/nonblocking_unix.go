//go:build unix

package files

import "syscall"

// nonblocking has a pipe opened without waiting for anybody at its other end.
const nonblocking = syscall.O_NONBLOCK
