//go:build !linux && !darwin

package files

import "os"

// keepAttributes has nothing to do where a file has none.
func keepAttributes(_, _ *os.File) {}
