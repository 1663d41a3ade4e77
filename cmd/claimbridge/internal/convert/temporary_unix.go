//go:build unix

package convert

import "os"

// temporary is a file without a name, which is gone as soon as nobody has it open: after SIGKILL, too.
func temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "claimbridge-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
